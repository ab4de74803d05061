// The password: when it changed, and changing it. The other sessions end with it.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ownCardnumber } from "#web/app/session.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { PasswordInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import identityStyles from "./identity.module.css";
import profileStyles from "./profile.module.css";
import { isAboutChoice, NewPasswordInput, wrongChoice } from "./new-password.tsx";

/** `changedAt` is an instant, null when it never changed, undefined while it is not known. */
export function PasswordSection({ changedAt }: { changedAt: string | null | undefined }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (message: string | null) => {
    setOpen(false);
    setDone(message);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <Section title="Mot de passe">
      {done !== null && (
        <Banner tone="success" alert>
          {done}
        </Banner>
      )}
      {open ? (
        <ChangeForm onDone={close} onCancel={() => close(null)} />
      ) : (
        <div className={profileStyles.passwordRow}>
          <p className={profileStyles.profileLead}>
            {changedAt ? (
              <>
                Changé le <DateText at={changedAt} time />
              </>
            ) : (
              "Connu de vous seul."
            )}
          </p>
          <Button ref={opener} size="small" icon="lock" onClick={() => setOpen(true)}>
            Changer le mot de passe
          </Button>
        </div>
      )}
    </Section>
  );
}

interface Wrong {
  current?: string | undefined;
  password?: string | undefined;
}

function ChangeForm({
  onDone,
  onCancel,
}: {
  onDone: (message: string) => void;
  onCancel: () => void;
}) {
  const user = useUser();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useFirstError<HTMLFormElement>(wrong);
  useEffect(() => form.current?.querySelector<HTMLInputElement>("input.input")?.focus(), [form]);
  const change = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.identity.changePassword, { current, password }),
    onSuccess: ({ message }) => {
      onDone(message);
      void readAgain(api.identity.profile, api.identity.activity);
    },
    onError: (problem) => {
      if (problem.code === "wrong_password") setWrong({ current: problem.message });
      else if (isAboutChoice(problem)) setWrong({ password: problem.message });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const found: Wrong = {
      current: current === "" ? "Indiquez votre mot de passe actuel." : undefined,
      password: wrongChoice(password),
    };
    const whole = !found.current && !found.password;
    setWrong(whole ? null : found);
    if (whole) change.mutate();
  };
  const atField = change.error?.code === "wrong_password" || isAboutChoice(change.error);
  return (
    <form ref={form} className={identityStyles.identityForm} noValidate onSubmit={submit}>
      <input type="text" autoComplete="username" value={ownCardnumber(user)} readOnly hidden />
      <PasswordInput
        label="Mot de passe actuel"
        value={current}
        onValue={setCurrent}
        error={wrong?.current}
        maxLength={128}
      />
      <NewPasswordInput value={password} onValue={setPassword} error={wrong?.password} />
      {change.error && !atField && (
        <Banner tone="danger" alert title="Le mot de passe n’a pas été changé.">
          {change.error.message}
        </Banner>
      )}
      <p className={profileStyles.profileLead}>
        Vos autres connexions seront fermées. Celle-ci reste ouverte.
      </p>
      <div className={profileStyles.contactActs}>
        <Button kind="primary" type="submit" loading={change.isPending}>
          Enregistrer le mot de passe
        </Button>
        <Button kind="ghost" disabled={change.isPending} onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </form>
  );
}
