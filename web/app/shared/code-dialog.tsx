// The dialog of the step-up, for any call that asks for one (spec.md 14 and 29): the password where it
// is asked, the code, or a passkey, in one form.
import { type FormEvent, useId, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import { codes } from "#contract/limits.ts";
import type { CodeRequest } from "#web/app/transport/code-request.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { PasswordInput } from "#web/ui/input.tsx";
import { OtpInput } from "#web/ui/otp.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { DemoNote } from "./demo-note.tsx";

const byPasskey = "Utiliser une clé d’accès";

export function CodeDialog({ request }: { request: CodeRequest }) {
  const { title, opens, sentTo, password: asksPassword, passkey, error, busy, sent } = request;
  // The digits of a refused code, or of the code before, are useless: they are kept with both.
  const refusal = error?.place === "code" ? error : null;
  const [entry, setEntry] = useState({ sent, refusal, digits: "" });
  const [password, setPassword] = useState("");
  const id = useId();
  const form = useFirstError<HTMLFormElement>(error);
  const isCurrent = entry.sent === sent && (refusal === null || entry.refusal === refusal);
  const code = isCurrent ? entry.digits : "";
  const hasCode = code.length === codes.digits;
  const ready = hasCode && (!asksPassword || password !== "");
  const send = (digits: string) => {
    if (digits.length !== codes.digits || (asksPassword && password === "")) return;
    void request.submit({ code: digits, ...(asksPassword && { password }) });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };
  const errorAt = (place: string) => (error?.place === place ? error.text : null);
  return (
    <Dialog
      open
      onClose={request.cancel}
      title={title ?? "Confirmez avec un code"}
      actions={
        <>
          {sentTo !== "" && (
            <Button kind="ghost" onClick={() => void request.resend()}>
              Renvoyer un code
            </Button>
          )}
          {passkey === "password" && (
            <Button
              disabled={busy || !hasCode}
              onClick={() => void request.signAndSubmit({ code })}
            >
              {byPasskey}
            </Button>
          )}
          {sentTo !== "" && (
            <Button
              kind={passkey === "all" ? "secondary" : "primary"}
              type="submit"
              form={id}
              loading={busy}
              disabled={!ready}
            >
              Confirmer
            </Button>
          )}
        </>
      }
    >
      {errorAt("form") && (
        <Banner tone="danger" alert>
          {errorAt("form")}
        </Banner>
      )}
      {passkey === "all" && (
        <Button
          kind="primary"
          wide
          icon="lock"
          disabled={busy}
          onClick={() => void request.signAndSubmit({})}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the shortest way is the first
          autoFocus
        >
          {byPasskey}
        </Button>
      )}
      {sentTo === "" ? (
        <p>Confirmez avec votre clé d’accès&#8239;: aucun code ne peut vous être envoyé.</p>
      ) : (
        <form id={id} ref={form} className="form" noValidate onSubmit={onSubmit}>
          {passkey === "all" && <p>Ou avec votre mot de passe et un code&#8239;:</p>}
          {asksPassword && (
            <PasswordInput
              label="Votre mot de passe"
              value={password}
              onValue={setPassword}
              error={errorAt("password") ?? undefined}
              maxLength={128}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first thing asked there
              autoFocus={passkey !== "all"}
            />
          )}
          <OtpInput
            label="Code reçu"
            hint={`Saisissez le code à ${codes.digits} chiffres envoyé à ${frenchPhone(sentTo)}.`}
            error={errorAt("code")}
            value={code}
            onValue={(digits) => setEntry({ sent, refusal, digits })}
            onComplete={send}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is all that is asked there
            autoFocus={!asksPassword && passkey !== "all"}
          />
        </form>
      )}
      {opens && (
        <p className="field-hint">
          Ensuite, pendant {opens.minutes} minutes, vos paiements faits ici passent sans nouvelle
          confirmation, jusqu’à {formatMoney(opens.cents)} au total.
        </p>
      )}
      <DemoNote />
      <output>{sent > 1 && !error && "Un nouveau code vient de partir."}</output>
    </Dialog>
  );
}
