// Another way through a forgotten password: a recovery code in place of the one that would be sent.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { CardNumberInput, TextInput } from "#web/ui/input.tsx";
import { isAboutChoice, NewPasswordInput, wrongChoice } from "./new-password.tsx";
import styles from "./identity.module.css";

interface Wrong {
  number?: string | undefined;
  code?: string | undefined;
  password?: string | undefined;
}

interface Chosen {
  login: number;
  code: string;
  password: string;
}

export function RecoveryForm({ onDone }: { onDone: () => void }) {
  const [number, setNumber] = useState("");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const form = useFirstError<HTMLFormElement>(wrong);
  const recover = useMutation<unknown, ApiProblem, Chosen>({
    mutationFn: (chosen) => call(api.identity.recover, chosen),
    onSuccess: onDone,
    onError: (problem) => {
      if (isAboutChoice(problem)) setWrong({ password: problem.message });
      else if (problem.code === "recovery_refused") setWrong({ code: problem.message });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (recover.isPending) return;
    const found: Wrong = {
      number:
        number.length === 10 ? undefined : "Indiquez les 10 chiffres de votre numéro de carte.",
      code:
        code.replaceAll(/[^0-9a-z]/gi, "").length === 10
          ? undefined
          : "Un code de secours a 10 lettres et chiffres.",
      password: wrongChoice(password),
    };
    const whole = !found.number && !found.code && !found.password;
    setWrong(whole ? null : found);
    if (whole) recover.mutate({ login: Number(number), code, password });
  };
  const { error } = recover;
  const told = error && !isAboutChoice(error) && error.code !== "recovery_refused";
  return (
    <form ref={form} className={styles.identityForm} noValidate onSubmit={submit}>
      <CardNumberInput
        label="Numéro de carte"
        value={number}
        onValue={setNumber}
        error={wrong?.number}
        autoComplete="username"
      />
      <TextInput
        label="Code de secours"
        hint="Un des dix codes que vous avez notés, par exemple 7K2QF-9XHMA."
        className="input-number"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        onValue={setCode}
        error={wrong?.code}
      />
      <NewPasswordInput value={password} onValue={setPassword} error={wrong?.password} />
      {told && (
        <Banner tone="danger" alert title="Le mot de passe n’a pas été changé.">
          {error.message}
        </Banner>
      )}
      <Button kind="primary" type="submit" wide loading={recover.isPending}>
        Changer le mot de passe
      </Button>
    </form>
  );
}
