// What this browser keeps to be shown without network: the cards, tickets, passes and next meals of the
// person and of the children. Gathered and written whole, so that no writer overwrites another's part; sealed,
// gone with the session and after a week.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { formatCardnumber } from "#contract/french.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { currentUser, sealed } from "#web/app/transport/session.ts";

/** One code to present, with what tells it from the others. */
export interface StoredTitle {
  id: string;
  kind: "ticket" | "pass" | "meal";
  /** Whose motif its paper bears; what an earlier version stored has none. */
  cardnumber?: number;
  name: string;
  holder: string;
  /** Lines under its code. */
  about: string;
  code: string;
  startsAt: string;
  endsAt: string;
}

export interface StoredCard {
  number: number;
  holder: string;
}

export interface StoredTitles {
  /** When the server told them, in milliseconds since the epoch. */
  savedAt: number;
  cards: StoredCard[];
  titles: StoredTitle[];
}

const name = "titles";
// Not bound to the token: without network the session's cookie may be past its hour. The end of the session,
// a logout or another person's login wipes everything that is sealed.
const owner = "titles";
const maxAgeMs = 7 * 24 * 3600 * 1000;

let running: Promise<void> | null = null;
let again = false;

/** Asks for everything and stores it in place of what was stored; one gathering at a time. */
export function refreshStoredTitles(): Promise<void> {
  again = running !== null;
  running ??= gatherAll().finally(() => {
    running = null;
  });
  return running;
}

async function gatherAll(): Promise<void> {
  do {
    again = false;
    const user = currentUser.get();
    if (!user || user.type !== 1) return;
    try {
      const snapshot = await gather();
      // Somebody who logged out meanwhile leaves nothing behind.
      if (currentUser.get()?.objectID !== user.objectID) return;
      await sealed.put(name, owner, snapshot, snapshot.savedAt + maxAgeMs);
    } catch {
      // Without an answer what was kept before stays, with its age.
    }
  } while (again);
}

async function gather(): Promise<StoredTitles> {
  const savedAt = Date.now();
  const { items } = await call(api.cards.list, {}, { quiet: true });
  const mine = items.filter(
    ({ relation, state }) => (relation === "self" || relation === "child") && state !== "replaced",
  );
  const { nextMeals } = await import("./meal-titles.ts");
  const lists = await Promise.all([
    ...mine.map((card) => titlesOf(card)),
    nextMeals(nullIfRefused),
  ]);
  const cards = mine.map(({ cardnumber, name: holder }) => ({ number: cardnumber, holder }));
  return { savedAt, cards, titles: lists.flat() };
}

async function titlesOf({ cardnumber }: Card): Promise<StoredTitle[]> {
  const ofCard = { cardnumber };
  const [tickets, passes] = await Promise.all([
    call(api.tickets.list, ofCard, { quiet: true }),
    call(api.passes.list, ofCard, { quiet: true }),
  ]);
  const titles: StoredTitle[] = tickets.items.flatMap((ticket) =>
    ticket.token === null
      ? []
      : {
          id: ticket.id,
          kind: "ticket",
          cardnumber: ticket.cardnumber,
          name: ticket.title,
          holder: ticket.holder,
          about: `${ticket.venue}, ${ticket.category}, référence ${ticket.reference}`,
          code: ticket.token,
          startsAt: ticket.startsAt,
          endsAt: ticket.endsAt,
        },
  );
  for (const pass of passes.items) {
    if (pass.state !== "active" && pass.state !== "pending") continue;
    const qr = await call(api.passes.qr, { pass: pass.id }, { quiet: true }).catch(nullIfRefused);
    if (!qr) continue;
    titles.push({
      id: pass.id,
      kind: "pass",
      cardnumber,
      name: pass.name,
      holder: pass.holder,
      about: `${pass.groupName}, carte ${formatCardnumber(cardnumber)}`,
      code: qr.token,
      startsAt: pass.validFrom,
      endsAt: pass.validUntil,
    });
  }
  return titles;
}

/** A pass or a meal whose card is suspended has no code: the rest of the family is stored all the same. */
function nullIfRefused(problem: unknown): null {
  if (problem instanceof ApiProblem && problem.definite) return null;
  throw problem;
}

/** The stored titles that are not past, the nearest first; null when nothing ever was stored. */
export async function readStoredTitles(): Promise<StoredTitles | null> {
  const stored = (await sealed.get(name, owner)) as StoredTitles | null;
  // What an earlier version stored has another form.
  if (!stored?.savedAt) return null;
  const titles = stored.titles
    .filter(({ endsAt }) => Date.parse(endsAt) > Date.now())
    .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
  return { ...stored, titles };
}
