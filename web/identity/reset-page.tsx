// The first password of one's own, in place of the printed secret: nothing else opens before (spec §4).
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { paths } from "#web/app/guards.ts";
import { logout } from "#web/app/login.ts";
import { tellOnArrival } from "#web/app/message.ts";
import { keepUser, ownCardnumber } from "#web/app/session.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { PageHeader } from "#web/ui/layout.tsx";
import styles from "./identity.module.css";
import { isAboutChoice, NewPasswordInput, wrongChoice } from "./new-password.tsx";

type Chosen = Output<typeof api.identity.resetPassword>;

export function ResetPasswordPage() {
  const user = useUser();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<{ text: string } | null>(null);
  const form = useFirstError<HTMLFormElement>(wrong);
  const choose = useMutation<Chosen, ApiProblem, string>({
    mutationFn: chooseFirst,
    onSuccess: async ({ message, data }) => {
      await keepUser(data);
      tellOnArrival({ kind: "success", text: message });
      await navigate({ to: paths.home, replace: true });
    },
    onError: (problem) => {
      if (isAboutChoice(problem)) setWrong({ text: problem.message });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choose.isPending) return;
    const text = wrongChoice(password);
    setWrong(text ? { text } : null);
    if (!text) choose.mutate(password);
  };
  return (
    <>
      <PageHeader
        title="Choisissez votre mot de passe"
        lead={
          <>
            Bonjour {user.name}. Remplacez le mot de passe provisoire par le vôtre&#8239;: ensuite,
            votre carte s’ouvre.
          </>
        }
      />
      <form ref={form} className={styles.identityForm} noValidate onSubmit={submit}>
        <input type="text" autoComplete="username" value={ownCardnumber(user)} readOnly hidden />
        <NewPasswordInput value={password} onValue={setPassword} error={wrong?.text} />
        {choose.error && !isAboutChoice(choose.error) && (
          <Banner tone="danger" alert title="Le mot de passe n’a pas été enregistré.">
            {choose.error.message}
          </Banner>
        )}
        <Button kind="primary" type="submit" wide loading={choose.isPending}>
          Enregistrer et continuer
        </Button>
      </form>
      <div className={styles.identityLeave}>
        <Button kind="ghost" icon="logout" onClick={() => void logout()}>
          Se déconnecter
        </Button>
      </div>
    </>
  );
}

/** Another tab may have chosen already: then one goes on with what it chose. */
async function chooseFirst(password: string): Promise<Chosen> {
  try {
    return await call(api.identity.resetPassword, { password });
  } catch (error) {
    if ((error as ApiProblem).code !== "reset_not_pending") throw error;
    const { data } = await call(api.identity.session, {});
    return { message: (error as ApiProblem).message, data };
  }
}
