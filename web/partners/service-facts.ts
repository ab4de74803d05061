// The fact about the card that a tile shows today, instead of what the service is for.
import { firstName, formatDate, formatMoney, plural, spokenDay } from "#contract/french.ts";
import type { ServiceFacts } from "#contract/portal/home.ts";
import type { Service } from "#contract/partners/rows.ts";
import { leavesIn } from "#web/app/shared/leaves-in.ts";

/** « 43,70 € », « Ligne 3 dans 4 min », « 2 billets, sam. 12 déc. »; null where nothing is known. */
export function factOf(
  screen: Service["screen"],
  { balanceCents, subscribedUntil, tickets, pass, partners }: ServiceFacts,
  nowMs: number,
): string | null {
  switch (screen) {
    case "wallets":
      return balanceCents === null ? null : formatMoney(balanceCents);
    case "subscription":
      return subscribedUntil && `Jusqu’au ${formatDate(subscribedUntil)}`;
    case "tickets":
      return tickets && `${plural(tickets.count, "billet")}, ${dayOf(tickets.from, nowMs)}`;
    case "transit":
      return pass && passFact(pass, nowMs);
    case "directory":
      return partners === 0 ? null : plural(partners, "partenaire");
    case "canteen":
    case "transport":
    case "membership":
      return null;
  }
}

/** On one line: « sam. 12 déc. ». */
const dayOf = (at: string, nowMs: number) =>
  spokenDay(at, new Date(nowMs)).replaceAll(" ", "\u00a0");

function passFact(
  { holder, lastOn, next }: NonNullable<ServiceFacts["pass"]>,
  nowMs: number,
): string {
  const whose = holder === null ? "" : `${firstName(holder)}\u202f: `;
  const fact = next
    ? `Ligne ${next.line} ${leavesIn(next.at, nowMs)}${next.onRequest ? ", sur réservation" : ""}`
    : `Titre valable jusqu’au ${formatDate(lastOn)}`;
  return whose + fact;
}
