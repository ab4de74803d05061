// Tickets kept in this browser to be shown without network: sealed, gone with the session, past their
// last session or after a week.
import type { Ticket } from "#contract/tickets.ts";
import { sealed } from "#web/app/session.ts";

const name = "titles";
// Not bound to the token: without network the session's cookie may be past its hour. The end of the
// session, a logout or another person's login wipes everything that is sealed.
const owner = "titles";
const longestMs = 7 * 24 * 3600 * 1000;

type Kept = Record<string, Ticket[]>;

/** Keeps the good tickets of a card in place of those kept before. */
export async function keepTitles(cardnumber: number, tickets: readonly Ticket[]): Promise<void> {
  const good = tickets.filter(({ token }) => token !== null);
  const before = (await sealed.get(name, owner)) as Kept | null;
  const kept: Kept = { ...before, [cardnumber]: [...good] };
  const ends = Object.values(kept).flatMap((list) => list.map(({ endsAt }) => Date.parse(endsAt)));
  if (ends.length === 0) return sealed.remove(name);
  const until = Math.min(Math.max(...ends), Date.now() + longestMs);
  await sealed.put(name, owner, kept, until);
}

/** The tickets kept here that are not past, the nearest first. */
export async function keptTitles(): Promise<Ticket[]> {
  const kept = (await sealed.get(name, owner)) as Kept | null;
  return Object.values(kept ?? {})
    .flat()
    .filter(({ endsAt }) => Date.parse(endsAt) > Date.now())
    .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
}
