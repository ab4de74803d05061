// Second step of a forgotten password: the code received and the password that replaces it.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber, formatTime } from "#contract/french.ts";
import { codes } from "#contract/limits.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { DemoNote } from "#web/app/demo-note.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { OtpInput } from "#web/ui/otp.tsx";
import { CodeRefusal } from "./code-refusal.tsx";
import { isAboutChoice, NewPasswordInput, wrongChoice } from "./new-password.tsx";
import styles from "./identity.module.css";

/** A code on its way to whoever has the card, if anybody does. */
export interface Sent {
  login: number;
  challenge: string;
  expiresAt: string;
  /** True when it replaces an earlier one. */
  again: boolean;
}

interface Wrong {
  code?: string | undefined;
  password?: string | undefined;
}

const aboutCode = new Set<string>(["code_wrong", "code_expired"]);

export function ForgotCode({
  sent,
  onResent,
  onDone,
}: {
  sent: Sent;
  onResent: (sent: Sent) => void;
  onDone: () => void;
}) {
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useFirstError<HTMLFormElement>(wrong);
  const choose = useMutation<unknown, ApiProblem, { code: string; password: string }>({
    mutationFn: (chosen) =>
      call(api.identity.forgotReset, { challenge: sent.challenge, ...chosen }),
    onSuccess: onDone,
    onError: (problem) => {
      if (isAboutChoice(problem)) setWrong({ password: problem.message });
      else if (aboutCode.has(problem.code)) {
        setCode("");
        setWrong({ code: problem.message });
      }
    },
  });
  const resend = useMutation<Omit<Sent, "login" | "again">, ApiProblem>({
    mutationFn: () => call(api.identity.forgot, { login: sent.login }),
    onSuccess: (next) => {
      setCode("");
      setWrong(null);
      onResent({ ...next, login: sent.login, again: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choose.isPending) return;
    const found: Wrong = {
      code:
        code.length === codes.digits
          ? undefined
          : `Saisissez les ${codes.digits} chiffres du code.`,
      password: wrongChoice(password),
    };
    const whole = !found.code && !found.password;
    setWrong(whole ? null : found);
    if (whole) choose.mutate({ code, password });
  };
  const told = choose.error && !isAboutChoice(choose.error) && !aboutCode.has(choose.error.code);
  return (
    <form ref={form} className={styles.identityForm} noValidate onSubmit={submit}>
      <Banner tone="info" title={sent.again ? "Nouveau code demandé" : "Code demandé"}>
        <p>
          Si la carte {formatCardnumber(sent.login)} a une adresse e-mail ou un téléphone
          enregistrés depuis 72&nbsp;heures, un code vient d’y être envoyé. Il est valable jusqu’à{" "}
          {formatTime(sent.expiresAt)}.
        </p>
        <DemoNote />
      </Banner>
      <input type="text" autoComplete="username" value={sent.login} readOnly hidden />
      <OtpInput
        label="Code reçu"
        value={code}
        onValue={setCode}
        error={wrong?.code}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is the first thing asked there
        autoFocus
      />
      <NewPasswordInput value={password} onValue={setPassword} error={wrong?.password} />
      {told && choose.error && (
        <Banner tone="danger" alert title="Le mot de passe n’a pas été changé.">
          {choose.error.message}
        </Banner>
      )}
      <Button kind="primary" type="submit" wide loading={choose.isPending}>
        Changer le mot de passe
      </Button>
      {resend.error && <CodeRefusal problem={resend.error} />}
      <div className={styles.identityAgain}>
        <p>Rien reçu&#8239;? Regardez dans les indésirables et vérifiez le numéro de carte.</p>
        <Button kind="ghost" loading={resend.isPending} onClick={() => resend.mutate()}>
          Renvoyer un code
        </Button>
        <output>{sent.again && !resend.isPending && "Un nouveau code est demandé."}</output>
      </div>
    </form>
  );
}
