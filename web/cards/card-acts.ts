// What is done with a card.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { keepUser } from "#web/app/session.ts";
import { notify } from "#web/ui/toast.tsx";

export type OppositionReason = Input<typeof api.cards.oppose>["reason"];
export type DamageReason = Input<typeof api.cards.reportDamage>["reason"];

/** The account as the server knows it now: its card number changes when a replacement is activated. */
async function refreshUser(): Promise<void> {
  const { data } = await call(api.identity.session, {}, { quiet: true });
  await keepUser(data);
}

const told = ({ isUnknown, message }: ApiProblem) =>
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
  return useMutation<unknown, ApiProblem, { cardnumber: number }>({
    mutationFn: (input) => call(api.cards.suspend, input),
    onSuccess: (_, input) => {
      notify({
        text: colleague
          ? `La carte ${colleague} est suspendue. Elle ne paie plus rien.`
          : "Carte suspendue. Elle ne paie plus rien.",
        kind: "success",
        ...(undo && { action: { label: "Annuler", onPress: () => resume.mutate(input) } }),
      });
    },
    onError: told,
  });
}

export function useResume(colleague: string | null = null) {
  return useMutation<unknown, ApiProblem, { cardnumber: number }>({
    mutationFn: (input) => call(api.cards.resume, input),
    onSuccess: () => {
      const text = colleague
        ? `La carte ${colleague} est réactivée. Elle peut de nouveau servir.`
        : "Carte réactivée. Elle peut de nouveau servir.";
      notify({ text, kind: "success" });
    },
    onError: told,
  });
}

/** Opposition is final: the dialog that asks shows the refusal itself. */
export function useOppose() {
  return useMutation<unknown, ApiProblem, Input<typeof api.cards.oppose>>({
    mutationFn: (input) => call(api.cards.oppose, input),
  });
}

/** A damaged card: the dialog that asks shows the refusal itself. */
export function useReportDamage() {
  return useMutation<unknown, ApiProblem, Input<typeof api.cards.reportDamage>>({
    mutationFn: (input) => call(api.cards.reportDamage, input),
  });
}

/** Activates a replacement; `own` when the card is the person's, whose number then changes. */
export function useActivate() {
  return useMutation<unknown, ApiProblem, { cardnumber: number; own: boolean }>({
    mutationFn: ({ cardnumber }) => call(api.cards.activate, { cardnumber }),
    onSuccess: async (_, { own }) => {
      if (own) await refreshUser();
    },
  });
}
