// The form of a closing: where the money goes, and a last confirmation in words.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import type { CodeAbandoned } from "#web/app/code-request.ts";
import { withCode } from "#web/app/step-up.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./privacy.module.css";

type Closed = Output<typeof api.privacy.close>;

interface Typed {
  iban: string;
  beneficiary: string;
  sure: boolean;
}

export function ClosingForm({
  cardnumber,
  refundCents,
  onClose,
}: {
  cardnumber: number;
  refundCents: number;
  onClose: () => void;
}) {
  const isOwed = refundCents > 0;
  const close = useMutation<Closed, ApiProblem | CodeAbandoned, Typed>({
    mutationFn: ({ iban, beneficiary }) =>
      withCode((proof) =>
        call(api.privacy.close, { cardnumber, ...(isOwed && { iban, beneficiary }), ...proof }),
      ),
    onSuccess: async ({ closesOn }) => {
      onClose();
      notify({ text: `Le compte fermera le ${formatDate(closesOn)}.`, kind: "success" });
      await readAgain(api.privacy.read);
    },
  });
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    { iban: "", beneficiary: "", sure: false },
    ({ iban, beneficiary, sure }) => ({
      iban: isOwed && iban.replaceAll(/\s/g, "").length < 15 && "Indiquez un IBAN complet.",
      beneficiary:
        isOwed &&
        beneficiary.trim().length < 2 &&
        "Indiquez le nom du titulaire du compte bancaire.",
      sure: !sure && "Cochez cette case pour continuer.",
    }),
    close,
    { problemFields: { iban_invalid: "iban" } },
  );
  return (
    <form {...form}>
      {isOwed && (
        <>
          <p className={styles.privacyLead}>
            {formatMoney(refundCents)} vous reviennent. Indiquez où les virer.
          </p>
          <TextInput
            label="IBAN"
            hint="27 caractères pour un compte français, espaces acceptés."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={42}
            {...field("iban")}
          />
          <TextInput
            label="Titulaire du compte bancaire"
            autoComplete="name"
            maxLength={70}
            {...field("beneficiary")}
          />
        </>
      )}
      <Checkbox
        label="Je comprends que le compte, la carte et les titres ne serviront plus."
        checked={values.sure}
        onChecked={(sure) => set({ sure })}
        error={errorOf("sure")}
      />
      <ProblemBanner problem={problem} title="La fermeture n’a pas été demandée." />
      <FormActions
        submit="Demander la fermeture"
        kind="danger"
        isSending={close.isPending}
        cancel="Garder le compte"
        onCancel={onClose}
      />
    </form>
  );
}
