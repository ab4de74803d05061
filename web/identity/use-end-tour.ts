// Ending the tour, walked or skipped: kept by the server, so that no device offers it again.
import { useRouter } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { notify } from "#web/ui/toast.tsx";
import { dropTourStep } from "./tour-return.ts";

/** `send` takes the address that comes next, null to stay; one goes there too where the end could not be kept. */
export function useEndTour() {
  const { history } = useRouter();
  const leave = (next: string | null) => {
    dropTourStep();
    if (next !== null) history.replace(next);
  };
  return useAction((_next: string | null) => call(api.identity.endTour, {}), {
    onDone: (_answer, next) => leave(next),
    onRefused: (_problem, next) => {
      leave(next);
      notify({
        kind: "error",
        text: "La fin des premiers pas n’a pas été enregistrée. Ils vous seront proposés de nouveau sur «\u00a0Ma carte\u00a0».",
      });
    },
  });
}
