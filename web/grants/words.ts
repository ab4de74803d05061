// The state of a grant, as its badge says it.
import type { GrantSummary } from "#contract/grants/rows.ts";
import type { Tone } from "#web/ui/banner.tsx";

export function stateOf({ state, leftCents }: Pick<GrantSummary, "state" | "leftCents">): {
  name: string;
  tone: Tone | "neutral";
} {
  if (state === "draft") return { name: "À payer", tone: "warning" };
  if (state === "awaiting") return { name: "Virement attendu", tone: "info" };
  return leftCents > 0
    ? { name: "En cours", tone: "success" }
    : { name: "Terminée", tone: "neutral" };
}
