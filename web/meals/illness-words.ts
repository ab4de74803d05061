// Sentences about an illness, the same on both sides.
import type { IllnessView } from "#contract/meals/illness.ts";
import { formatDate, formatMoney } from "#contract/french.ts";

/** « le 23/11/2026 » or « du 23/11/2026 au 25/11/2026 ». */
export const illnessDays = ({ from, to }: Pick<IllnessView, "from" | "to">): string =>
  from === to ? `le ${formatDate(from)}` : `du ${formatDate(from)} au ${formatDate(to)}`;

/** The outcome for the money: given back, due, or waiting for the certificate. */
export function illnessMoney({
  state,
  freeCents,
  dueCents,
  proofCents,
}: Pick<IllnessView, "state" | "freeCents" | "dueCents" | "proofCents">): string {
  if (state === "withdrawn") return "Les repas sont de nouveau commandés.";
  const back = freeCents + (state === "accepted" ? proofCents : 0);
  const due = dueCents + (state === "unproven" ? proofCents : 0);
  const waits = state === "accepted" || state === "unproven" ? 0 : proofCents;
  return [
    back > 0 ? `${formatMoney(back)} rendus` : null,
    due > 0 ? `${formatMoney(due)} dus` : null,
    waits > 0 ? `${formatMoney(waits)} rendus avec un certificat` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
