// The form of a closing: where the money goes, and a last confirmation in words. While the closing
// waits, the bank account alone.
import { api } from "#contract/api.ts";
import { electronicIban } from "#contract/companies/iban.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Text } from "#web/ui/text.tsx";

interface Typed {
  iban: string;
  beneficiary: string;
  sure: boolean;
}

export function ClosingForm({
  cardnumber,
  refundCents,
  isWaiting,
  onClose,
}: {
  cardnumber: number;
  refundCents: number;
  /** The closing is asked already. */
  isWaiting: boolean;
  onClose: () => void;
}) {
  const isOwed = refundCents > 0 || isWaiting;
  const close = useAction(
    ({ iban, beneficiary }: Typed, proof) =>
      isWaiting
        ? call(api.privacy.setClosureIban, { cardnumber, iban, beneficiary, ...proof })
        : call(api.privacy.close, { cardnumber, ...(isOwed && { iban, beneficiary }), ...proof }),
    {
      says: ({ closesOn }) =>
        isWaiting ? "L’IBAN est enregistré." : `Le compte fermera le ${formatDate(closesOn)}.`,
      onDone: onClose,
    },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    { iban: "", beneficiary: "", sure: false },
    ({ iban, beneficiary, sure }) => ({
      iban: isOwed && electronicIban(iban).length < 15 && "Indiquez un IBAN complet.",
      beneficiary:
        isOwed &&
        beneficiary.trim().length < 2 &&
        "Indiquez le nom du titulaire du compte bancaire.",
      sure: !isWaiting && !sure && "Cochez cette case pour continuer.",
    }),
    close,
    { problemFields: { iban_invalid: "iban", bank_holder_letters: "beneficiary" } },
  );
  return (
    <form {...form}>
      {isOwed && (
        <>
          <Text tone="soft">
            {refundCents > 0
              ? `${formatMoney(refundCents)} vous reviennent. Indiquez où les virer.`
              : "Indiquez où virer l’argent qui vous reviendrait."}
          </Text>
          <TextInput
            label="IBAN"
            hint="27 caractères pour un compte français, espaces acceptés."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
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
      {!isWaiting && (
        <Checkbox
          label="Je comprends que le compte, la carte et les titres ne serviront plus."
          checked={values.sure}
          onChecked={(sure) => set({ sure })}
          error={errorOf("sure")}
        />
      )}
      <ProblemBanner
        problem={problem}
        title={isWaiting ? "L’IBAN n’est pas enregistré." : "La fermeture n’a pas été demandée."}
      />
      {isWaiting ? (
        <FormActions submit="Enregistrer" isSending={close.isPending} onCancel={onClose} />
      ) : (
        <FormActions
          submit="Demander la fermeture"
          kind="danger"
          isSending={close.isPending}
          cancel="Garder le compte"
          onCancel={onClose}
        />
      )}
    </form>
  );
}
