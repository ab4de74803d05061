// The JSON file that describes an event: its schema and its checks.
import * as z from "zod/mini";
import * as c from "#contract/endpoint.ts";
import { eventKinds } from "#contract/tickets/states.ts";
import { faultOf } from "#server/http/input-faults.ts";
import { printedText } from "#server/http/printed-letters.ts";

const age = z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(130))));
const seats = z.int().check(z.minimum(0), z.maximum(100_000));

export const eventDescription = z.object({
  title: printedText(120),
  summary: c.text(600, 1),
  kind: z.enum(eventKinds),
  organiser: printedText(120),
  venue: printedText(120),
  address: printedText(200),
  /** Card number of the partner who admits, absent for the scheme itself. */
  partner: z.optional(c.cardnumber),
  saleFrom: c.instant,
  saleUntil: c.instant,
  maxPerPerson: z.int().check(z.minimum(1), z.maximum(20)),
  policy: z.object({
    text: printedText(500),
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
        name: printedText(60),
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
type EventDescription = z.input<typeof eventDescription>;

/** Parses a description, or gives its fault in French. */
export function parseEvent(text: string): EventDescription | { wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: "Ce fichier n'est pas du JSON" };
  }
  const parsed = z.safeParse(eventDescription, json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const why = issue ? ` : ${issue.path.join(".")} — ${faultOf(issue, json)}` : "";
    return { wrong: `Événement mal décrit${why}` };
  }
  const event = parsed.data;
  if (event.saleFrom >= event.saleUntil) return { wrong: "saleUntil doit suivre saleFrom" };
  if (event.sessions.some((one) => Date.parse(one.startsAt) >= Date.parse(one.endsAt))) {
    return { wrong: "Une séance doit finir après son début" };
  }
  const names = new Set(event.categories.map(({ name }) => name));
  const unknown = event.sessions
    .flatMap(({ quotas }) => Object.keys(quotas ?? {}))
    .find((name) => !names.has(name));
  if (unknown !== undefined) return { wrong: `Aucun tarif ne s'appelle ${unknown}` };
  return event;
}
