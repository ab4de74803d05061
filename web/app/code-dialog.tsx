// The dialog that asks for a code, for any call that needs one (décision 14).
import { useState } from "react";
import { codes } from "#contract/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { OtpInput } from "#web/ui/otp.tsx";
import { DemoNote } from "./demo-note.tsx";
import type { CodeRequest } from "./step-up.ts";

export function CodeDialog({ request }: { request: CodeRequest }) {
  const { sentTo, error, busy, sent, submit, resend, cancel } = request;
  // The digits typed for one code are useless for the next: they are kept with its number.
  const [entry, setEntry] = useState({ sent, digits: "" });
  const typed = entry.sent === sent ? entry.digits : "";
  const complete = typed.length === codes.digits;
  const send = (code: string) => void submit(code);
  return (
    <Dialog
      open
      onClose={cancel}
      title="Confirmez avec un code"
      actions={
        <>
          <Button kind="ghost" disabled={busy} onClick={() => void resend()}>
            Renvoyer un code
          </Button>
          <Button kind="primary" loading={busy} disabled={!complete} onClick={() => send(typed)}>
            Confirmer
          </Button>
        </>
      }
    >
      <OtpInput
        label="Code reçu"
        hint={`Saisissez le code à ${codes.digits} chiffres envoyé à ${sentTo}.`}
        error={error}
        value={typed}
        onValue={(digits) => setEntry({ sent, digits })}
        onComplete={send}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is all that is asked there
        autoFocus
      />
      <DemoNote />
      {sent > 1 && !error && <output>Un nouveau code vient de partir.</output>}
    </Dialog>
  );
}
