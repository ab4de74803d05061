// An event as a JSON file describes it: checked whole, then written whole.
import { sql } from "kysely";
import * as z from "zod/mini";
import * as c from "#contract/endpoint.ts";
import { eventKinds } from "#contract/ticket-states.ts";
import type { Tx } from "#server/db/db.ts";

const age = z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(130))));
const seats = z.int().check(z.minimum(0), z.maximum(100_000));

const description = z.object({
  title: c.text(120, 1),
  summary: c.text(600, 1),
  kind: z.enum(eventKinds),
  organiser: c.text(120, 1),
  venue: c.text(120, 1),
  address: c.text(200, 1),
  /** Card number of the partner at the door, absent for the scheme itself. */
  partner: z.optional(c.cardnumber),
  saleFrom: c.instant,
  saleUntil: c.instant,
  mostEach: z.int().check(z.minimum(1), z.maximum(20)),
  policy: z.object({
    text: c.text(500, 1),
    rules: z
      .array(
        z.object({
          hours: z.int().check(z.minimum(0), z.maximum(10_000)),
          percent: z.int().check(z.minimum(0), z.maximum(100)),
        }),
      )
      .check(z.maxLength(6)),
  }),
  categories: z
    .array(
      z.object({
        name: c.text(60, 1),
        priceCents: z.int().check(z.minimum(0), z.maximum(1_000_000)),
        ageMin: age,
        ageMax: age,
        student: z.optional(z.boolean()),
        quotientMax: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(100_000)))),
      }),
    )
    .check(z.minLength(1), z.maxLength(8)),
  sessions: z
    .array(
      z.object({
        startsAt: c.instant,
        endsAt: c.instant,
        seats,
        /** Seats of a category that has fewer than the session, by its name. */
        quotas: z.optional(z.record(c.text(60, 1), seats)),
      }),
    )
    .check(z.minLength(1), z.maxLength(200)),
});
export type EventDescription = z.input<typeof description>;

/** Reads a description, or says in French what is wrong with it. */
export function readEvent(text: string): EventDescription | { wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: "Ce fichier n'est pas du JSON." };
  }
  const parsed = z.safeParse(description, json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { wrong: `Événement mal décrit : ${issue?.path.join(".")} — ${issue?.message}` };
  }
  const event = parsed.data;
  if (event.saleFrom >= event.saleUntil) return { wrong: "saleUntil doit suivre saleFrom." };
  if (event.sessions.some((one) => Date.parse(one.startsAt) >= Date.parse(one.endsAt))) {
    return { wrong: "Une séance doit finir après son début." };
  }
  const names = new Set(event.categories.map(({ name }) => name));
  const unknown = event.sessions
    .flatMap(({ quotas }) => Object.keys(quotas ?? {}))
    .find((name) => !names.has(name));
  if (unknown !== undefined) return { wrong: `Aucun tarif ne s'appelle ${unknown}.` };
  return event;
}

/** Writes an event with its prices, sessions and quotas; gives its number and id. */
export async function createEvent(
  tx: Tx,
  event: EventDescription,
  at: Date,
): Promise<{ number: number; id: string }> {
  const { rows } = await sql<{ number: number; id: string }>`
    insert into ticket_offer (partner_id, title, summary, kind, organiser, venue, address, sale_from,
      sale_until, most_each, policy, created_at)
    values ((select person_id from card where number = ${event.partner ?? null}::bigint),
      ${event.title}, ${event.summary}, ${event.kind}, ${event.organiser}, ${event.venue},
      ${event.address}, ${event.saleFrom}, ${event.saleUntil}, ${event.mostEach},
      ${JSON.stringify(event.policy)}::jsonb, ${at})
    returning number, id`.execute(tx);
  const offer = rows[0] as { number: number; id: string };
  const categories = new Map<string, string>();
  for (const [place, one] of event.categories.entries()) {
    const { rows: made } = await sql<{ id: string }>`
      insert into ticket_category (offer_id, place, name, price_cents, age_min, age_max, student,
        quotient_max)
      values (${offer.id}, ${place}, ${one.name}, ${one.priceCents}, ${one.ageMin ?? null},
        ${one.ageMax ?? null}, ${one.student ?? false}, ${one.quotientMax ?? null})
      returning id`.execute(tx);
    categories.set(one.name, made[0]?.id ?? "");
  }
  for (const session of event.sessions) {
    const { rows: made } = await sql<{ id: string }>`
      insert into ticket_session (offer_id, starts_at, ends_at)
      values (${offer.id}, ${session.startsAt}, ${session.endsAt}) returning id`.execute(tx);
    const id = made[0]?.id ?? "";
    await sql`insert into ticket_quota (session_id, seats) values (${id}, ${session.seats})`.execute(
      tx,
    );
    for (const [name, most] of Object.entries(session.quotas ?? {})) {
      await sql`insert into ticket_quota (session_id, category_id, seats)
        values (${id}, ${categories.get(name)}, ${most})`.execute(tx);
    }
  }
  return offer;
}
