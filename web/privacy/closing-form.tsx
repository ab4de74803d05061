// The form of a closing: where the money goes, and a last confirmation in words.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { readAgain } from "#web/app/answers.ts";
import { ApiProblem, call } from "#web/app/api.ts";
import { CodeAbandoned, withCode } from "#web/app/step-up.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { TextInput } from "#web/ui/input.tsx";
import { notify } from "#web/ui/toast.tsx";

type Closed = Output<typeof api.privacy.close>;

export function ClosingForm({
  cardnumber,
  refundCents,
  onClose,
}: {
  cardnumber: number;
  refundCents: number;
  onClose: () => void;
}) {
  const [iban, setIban] = useState("");
  const [beneficiary, setBeneficiary] = useState("");
  const [sure, setSure] = useState(false);
  const [tries, setTries] = useState(0);
  const owed = refundCents > 0;
  const close = useMutation<Closed, ApiProblem | CodeAbandoned>({
    mutationFn: () =>
      withCode((proof) =>
        call(api.privacy.close, { cardnumber, ...(owed && { iban, beneficiary }), ...proof }),
      ),
    onSuccess: async ({ closesOn }) => {
      onClose();
      notify({ text: `Le compte fermera le ${formatDate(closesOn)}.`, kind: "success" });
      await readAgain(api.privacy.seen);
    },
  });
  const problem = close.error instanceof ApiProblem ? close.error : null;
  const wrongIban = problem?.code === "iban_invalid" && problem.message;
  const wrong = {
    iban: owed && iban.replaceAll(/\s/g, "").length < 15 && "Indiquez un IBAN complet.",
    beneficiary:
      owed && beneficiary.trim().length < 2 && "Indiquez le nom du titulaire du compte bancaire.",
    sure: !sure && "Cochez cette case pour continuer.",
  };
  const isWrong = Object.values(wrong).some(Boolean);
  const form = useFirstError<HTMLFormElement>((isWrong || wrongIban) && tries);
  const shown = (name: keyof typeof wrong) => tries > 0 && wrong[name];
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWrong) close.mutate();
  };
  return (
    <form className="privacy-form" ref={form} noValidate onSubmit={send}>
      {owed && (
        <>
          <p className="privacy-lead">
            {formatMoney(refundCents)} vous reviennent. Indiquez où les virer.
          </p>
          <TextInput
            label="IBAN"
            hint="27 caractères pour un compte français, espaces acceptés."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={42}
            value={iban}
            onValue={setIban}
            error={shown("iban") || wrongIban}
          />
          <TextInput
            label="Titulaire du compte bancaire"
            autoComplete="name"
            maxLength={70}
            value={beneficiary}
            onValue={setBeneficiary}
            error={shown("beneficiary")}
          />
        </>
      )}
      <Checkbox
        label="Je comprends que le compte, la carte et les titres ne serviront plus."
        checked={sure}
        onChecked={setSure}
        error={shown("sure")}
      />
      {problem && !wrongIban && (
        <Banner tone="danger" alert title="La fermeture n’a pas été demandée.">
          {problem.message}
        </Banner>
      )}
      <div className="privacy-acts">
        <Button onClick={onClose}>Garder le compte</Button>
        <Button kind="danger" type="submit" loading={close.isPending}>
          Demander la fermeture
        </Button>
      </div>
    </form>
  );
}
