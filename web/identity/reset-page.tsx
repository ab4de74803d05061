// The first password of one's own, in place of the printed secret: nothing else opens before (spec §4).
import { useRouter } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { paths } from "#contract/paths.ts";
import { returnPath } from "#web/app/shared/addresses.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { logout } from "#web/app/transport/login.ts";
import { tellOnArrival } from "#web/app/transport/message.ts";
import { keepUser, ownCardnumber } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { PageHeader } from "#web/ui/layout.tsx";
import styles from "./identity.module.css";
import { choiceProblems, NewPasswordInput, wrongChoice } from "./new-password.tsx";

type Chosen = Output<typeof api.identity.resetPassword>;

export function ResetPasswordPage() {
  const user = useUser();
  const { history } = useRouter();
  const choose = useAction(chooseFirst, {
    onDone: async ({ message, data, tour }) => {
      await keepUser(data);
      tellOnArrival({ kind: "success", text: message });
      // Where a link led, there one goes first: the home offers the tour afterwards.
      history.replace(returnPath(location.search, tour ? paths.tour : paths.dashboard));
    },
  });
  const { field, problem, form } = useForm(
    { password: "" },
    ({ password }) => ({ password: wrongChoice(password) }),
    choose,
    { problemFields: choiceProblems, isLeftFreely: true },
  );
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
      <form {...form}>
        <input type="text" autoComplete="username" value={ownCardnumber(user)} readOnly hidden />
        <NewPasswordInput {...field("password")} />
        <ProblemBanner problem={problem} title="Le mot de passe n’a pas été enregistré." />
        <FormActions submit="Enregistrer et continuer" wide isSending={choose.isPending} />
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
async function chooseFirst(chosen: { password: string }): Promise<Chosen> {
  try {
    return await call(api.identity.resetPassword, chosen);
  } catch (error) {
    if ((error as ApiProblem).code !== "reset_not_pending") throw error;
    const { data } = await call(api.identity.session, {});
    return { message: (error as ApiProblem).message, data, tour: false };
  }
}
