// Events to buy tickets of in a test, relative to its clock.
import type { TestServer } from "#tests/test-server.ts";
import { inTx } from "#server/db/db.ts";
import { createEvent, type EventDescription } from "#server/tickets/tickets.ts";
import { buyDemoTickets } from "#server/demo/tickets.ts";
import { cast, type CastName } from "./cast.ts";

export const hour = 3_600_000;

export interface MadeEvent {
  id: string;
  number: number;
  session: string;
  full: string;
  child: string;
}

/** A concert in ten days: full price 12 €, under 18 for 6 €; `seats` in all. */
export async function makeEvent(
  server: Pick<TestServer, "deps">,
  { seats = 10, ...more }: Partial<EventDescription> & { seats?: number } = {},
): Promise<MadeEvent> {
  const at = (hours: number) => new Date(server.deps.now().getTime() + hours * hour).toISOString();
  return await inTx(server.deps.db, async (tx) => {
    const { id, number } = await createEvent(
      tx,
      {
        title: "Concert du port",
        summary: "Une soirée au bord de l'eau.",
        kind: "concert",
        organiser: "Librairie des Embruns",
        venue: "Halle du Port",
        address: "2 quai des Brumes",
        partner: cast.partnerShop.cardnumber,
        saleFrom: at(-24),
        saleUntil: at(240),
        maxPerPerson: 6,
        policy: {
          text: "Remboursé jusqu'à 72 h avant, à moitié jusqu'à 24 h avant.",
          rules: [
            { hours: 72, percent: 100 },
            { hours: 24, percent: 50 },
          ],
        },
        categories: [
          { name: "Plein tarif", priceCents: 1200 },
          { name: "Moins de 18 ans", priceCents: 600, ageMax: 17 },
        ],
        sessions: [{ startsAt: at(240), endsAt: at(242), seats }],
        ...more,
      },
      server.deps.now(),
    );
    const ids = async (table: "ticket_session" | "ticket_category") =>
      (
        await server.deps.pool.query(
          `select id from ${table} where event_id = $1 order by ${table === "ticket_session" ? "starts_at" : "place"}`,
          [id],
        )
      ).rows.map((row) => row.id as string);
    return { id, number, ids };
  }).then(async ({ id, number, ids }) => {
    const [session = ""] = await ids("ticket_session");
    const [full = "", child = ""] = await ids("ticket_category");
    return { id, number, session, full, child };
  });
}

/** The demo's events, with what the family and its neighbours bought; ids by title. */
export async function furnishEvents({
  deps,
}: Pick<TestServer, "deps">): Promise<Map<string, string>> {
  const { rows } = await deps.pool.query<{ number: number; person: number; wallet: number }>(
    `select c.number, p.id as person, w.id as wallet from person p
     join card c on c.person_id = p.id join wallet w on w.person_id = p.id and w.group_id = 1`,
  );
  const of = (name: CastName) => rows.find(({ number }) => number === cast[name].cardnumber);
  const people = Object.fromEntries(
    (Object.keys(cast) as CastName[]).map((name) => [name, of(name)?.person ?? 0]),
  ) as Record<CastName, number>;
  const walletOf = (name: CastName) => of(name)?.wallet ?? 0;
  await inTx(deps.db, (tx) => buyDemoTickets(tx, deps, people, { now: deps.now(), walletOf }));
  const offers = await deps.pool.query<{ id: string; title: string }>(
    "select id, title from ticket_event",
  );
  return new Map(offers.rows.map(({ id, title }) => [title, id]));
}
