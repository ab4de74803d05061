// Actions on a card: suspending, resuming, activating a replacement.
import { api } from "#contract/api.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { keepUser } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { notify } from "#web/ui/toast.tsx";

/** The account as the server knows it now: its card number changes when a replacement is activated. */
async function refreshUser(): Promise<void> {
  const { data } = await call(api.identity.session, {}, { quiet: true });
  await keepUser(data);
}

const notifyProblem = ({ isUnknown, message }: ApiProblem) =>
  notify({
    text: isUnknown
      ? "La réponse n’est pas arrivée. Vérifiez l’état de la carte avant de recommencer."
      : message,
    kind: "error",
  });

/**
 * Suspends a card. It can be undone, so nothing is asked: the notification offers the way back, but to
 * a person whose guardian alone resumes it.
 */
export function useSuspend({
  undo,
  colleague = null,
}: {
  undo: boolean;
  /** « de Louis Tanguy » where the card is not the reader's own nor their child's. */
  colleague?: string | null;
}) {
  const resume = useResume(colleague);
  return useAction((input: { cardnumber: number }) => call(api.cards.suspend, input), {
    onDone: (_, input) => {
      notify({
        text: colleague
          ? `La carte ${colleague} est suspendue. Elle ne paie plus rien.`
          : "Carte suspendue. Elle ne paie plus rien.",
        kind: "success",
        ...(undo && { action: { label: "Annuler", onPress: () => resume.send(input) } }),
      });
    },
    onRefused: notifyProblem,
  });
}

export function useResume(colleague: string | null = null) {
  return useAction((input: { cardnumber: number }) => call(api.cards.resume, input), {
    says: colleague
      ? `La carte ${colleague} est réactivée. Elle peut de nouveau servir.`
      : "Carte réactivée. Elle peut de nouveau servir.",
    onRefused: notifyProblem,
  });
}

/** Activates a replacement; `own` when the card is the person's, whose number then changes. */
export function useActivate(own: boolean, says: string) {
  return useAction((input: { cardnumber: number }) => call(api.cards.activate, input), {
    says,
    onDone: () => (own ? refreshUser() : undefined),
  });
}
