// A code that the person tells aloud: sent to their phone or e-mail, typed here by the cashier.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { signal } from "#web/signed-codes/verdict-signal.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { keepSale } from "./use-till.ts";

export function SpokenCode({ sale }: { sale: TillSale }) {
  const [code, setCode] = useState("");
  const sending = useAction(() => call(api.till.sendCode, { sale: sale.id }), {
    onDone: () => setCode(""),
  });
  const sent = sending.data;
  const paying = useAction(
    (digits: string) =>
      call(api.till.payByCode, { sale: sale.id, challenge: sent?.challenge ?? "", code: digits }),
    {
      onDone: (paid) => {
        signal("success");
        keepSale(paid);
      },
      onRefused: () => {
        signal("danger");
        setCode("");
      },
    },
  );
  const wrong = paying.problem?.code === "code_wrong" && paying.problem.message;
  const pay = () => {
    const digits = code.replaceAll(/\s/g, "");
    if (digits !== "" && !paying.isPending) paying.send(digits);
  };
  return (
    <Stack>
      {sent && (
        <>
          <TextInput
            label="Code que la personne vous dit"
            hint={sent.channel === "sms" ? "Envoyé sur son téléphone." : "Envoyé par e-mail."}
            value={code}
            onValue={setCode}
            onKeyDown={({ key }) => key === "Enter" && pay()}
            error={wrong}
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            enterKeyHint="go"
          />
          <Button kind="primary" wide icon="check" loading={paying.isPending} onClick={pay}>
            Valider le code
          </Button>
        </>
      )}
      <ProblemBanner problem={sending.problem ?? (wrong ? null : paying.problem)} />
      <Button wide icon="mail" loading={sending.isPending} onClick={() => sending.send()}>
        {sent ? "Envoyer un autre code" : "Envoyer un code à la personne"}
      </Button>
    </Stack>
  );
}
