// After a forgotten password one is in, with the password just chosen, and where one was going.
import { useRouter } from "@tanstack/react-router";
import { paths } from "#contract/paths.ts";
import { returnPath } from "#web/app/shared/addresses.ts";
import { login } from "#web/app/transport/login.ts";
import { tellOnArrival } from "#web/app/transport/message.ts";
import { dropDraft, forgottenDraft } from "#web/ui/draft.ts";

/**
 * Signs in by the login itself, with whatever else it asks for; false where it refuses or does not answer: the
 * password is chosen all the same.
 */
export function useSignInAfterReset(): (number: number, password: string) => Promise<boolean> {
  const { history } = useRouter();
  return async (number, password) => {
    try {
      await login(number, password);
    } catch {
      return false;
    }
    dropDraft(forgottenDraft.name);
    tellOnArrival({
      kind: "success",
      text: "Votre mot de passe est changé. Vos autres connexions sont fermées.",
    });
    history.replace(returnPath(location.search, paths.dashboard));
    return true;
  };
}
