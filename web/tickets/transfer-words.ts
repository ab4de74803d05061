// To whom a ticket is offered, in words.
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";

/** « Proposé à Léo Moreau », « Proposé à la carte 1000 000 099 » or « Proposé par un lien ». */
export function offeredTo(
  { toCardnumber }: NonNullable<Ticket["transfer"]>,
  family: readonly Card[] | undefined,
): string {
  if (toCardnumber === null) return "Proposé par un lien";
  const known = family?.find(({ cardnumber }) => cardnumber === toCardnumber);
  return known ? `Proposé à ${known.name}` : `Proposé à la carte ${formatCardnumber(toCardnumber)}`;
}
