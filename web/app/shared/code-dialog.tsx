// The dialog of the step-up, for any call that asks for one (spec.md 14 and 29): what is approved and its amount,
// a passkey first, else the password where it is asked and the code, and what the proof opens afterwards.
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { formatMoney, formatTime } from "#contract/french.ts";
import { codes } from "#contract/limits.ts";
import type { CodeRequest } from "#web/app/transport/code-request.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { Icon } from "#web/ui/icon.tsx";
import { PasswordInput } from "#web/ui/input.tsx";
import { OtpInput } from "#web/ui/otp.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { DemoNote } from "./demo-note.tsx";
import styles from "./code-dialog.module.css";

const byPasskey = "Utiliser une clé d’accès";

/** The act, with its amount on a line of its own. */
function Act({ title, amountCents }: Pick<CodeRequest, "title" | "amountCents">): ReactNode {
  if (title === null) return "Confirmez avec un code";
  const amount = amountCents === null ? "" : formatMoney(amountCents);
  // The first: what others named stands after it.
  const at = amount === "" ? -1 : title.indexOf(amount);
  if (at === -1) return title;
  return (
    <>
      {title.slice(0, at)}
      <span className={styles.amount}>{amount}</span>
      {title.slice(at + amount.length)}
    </>
  );
}

export function CodeDialog({ request }: { request: CodeRequest }) {
  const { sentTo, password: asksPassword, passkey, error, busy, sent } = request;
  const [sentAtFirst] = useState(sent);
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
      title={<Act {...request} />}
      actions={
        sentTo !== "" && (
          <>
            {passkey !== "no" && (
              <Button
                icon="key"
                loading={busy === "passkey"}
                disabled={passkey === "password" && !hasCode}
                onClick={() => void request.signAndSubmit(passkey === "password" ? { code } : {})}
              >
                {byPasskey}
              </Button>
            )}
            <Button
              kind="primary"
              type="submit"
              form={id}
              loading={busy === "typed"}
              disabled={!ready}
            >
              Confirmer
            </Button>
          </>
        )
      }
    >
      {error && (error.place === "form" || sentTo === "") && (
        <Banner tone="danger" alert>
          {error.text}
        </Banner>
      )}
      {sentTo === "" ? (
        <WithoutCode request={request} />
      ) : (
        <form id={id} ref={form} className="form" noValidate onSubmit={onSubmit}>
          {asksPassword && (
            <PasswordInput
              label="Votre mot de passe"
              value={password}
              onValue={setPassword}
              error={errorAt("password") ?? undefined}
              maxLength={128}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first thing asked there
              autoFocus
            />
          )}
          <OtpInput
            label="Code reçu"
            hint={`Saisissez les ${codes.digits} chiffres envoyés à ${frenchPhone(sentTo)}, valables jusqu’à ${formatTime(request.expiresAt)}.`}
            error={errorAt("code")}
            value={code}
            onValue={(digits) => setEntry({ sent, refusal, digits })}
            onComplete={send}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is all that is asked there
            autoFocus={!asksPassword}
          />
          <p className={styles.resend}>
            Rien reçu&#8239;?{" "}
            <Button
              kind="ghost"
              size="small"
              loading={busy === "sending"}
              onClick={() => void request.sendCode()}
            >
              Renvoyer un code
            </Button>
          </p>
          <DemoNote />
        </form>
      )}
      <Opening opens={request.opens} />
      <output className={styles.announcement}>
        {sent > sentAtFirst &&
          !error &&
          (sent === 1 ? "Un code vient de partir." : "Un nouveau code vient de partir.")}
      </output>
    </Dialog>
  );
}

/** While no code was sent: the passkey is the way, and a code can be asked for in its place. */
function WithoutCode({ request }: { request: CodeRequest }) {
  const { codeTo, channel, passkey, busy } = request;
  return (
    <Stack gap={8}>
      {passkey === "no" ? (
        <Banner tone="warning">
          Ce navigateur ne peut pas utiliser votre clé d’accès, et aucun code ne peut vous être
          envoyé. Recommencez depuis l’appareil qui a votre clé.
        </Banner>
      ) : (
        <Button
          kind="primary"
          wide
          icon="key"
          loading={busy === "passkey"}
          onClick={() => void request.signAndSubmit({})}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the shortest way is the first
          autoFocus
          data-focus-first
        >
          {byPasskey}
        </Button>
      )}
      {codeTo !== "" && (
        <>
          <Button
            wide
            icon={channel === "sms" ? "phone" : "mail"}
            loading={busy === "sending"}
            onClick={() => void request.sendCode()}
          >
            Recevoir un code {channel === "sms" ? "par SMS" : "par e-mail"}
          </Button>
          <Text tone="soft" size="fine">
            Il part à {frenchPhone(codeTo)}, et se saisit avec votre mot de passe.
          </Text>
        </>
      )}
    </Stack>
  );
}

/** What the proof opens for the payments that follow, and where to end that. */
function Opening({ opens }: Pick<CodeRequest, "opens">) {
  if (opens === null) return null;
  return (
    <p className={styles.opens}>
      <Icon name="clock" size={20} />
      <span>
        <strong>Pendant {opens.minutes} minutes ensuite</strong>, vos paiements faits ici passent
        sans nouvelle confirmation, jusqu’à {formatMoney(opens.cents)} au total. Vous pouvez y
        mettre fin dans votre profil, à «&nbsp;Appareils&nbsp;».
      </span>
    </p>
  );
}
