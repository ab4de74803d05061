// The calendar of a family's meals behind a secret address. The database keeps a digest of the secret; the
// calendar says who eats where and when, no allergen and no price.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { mealOrderStateNames, type MealOrderState } from "#contract/meals/states.ts";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { firstName } from "#contract/french.ts";
import { mealCalendar } from "#contract/meals/limits.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import { calendarFile } from "#server/http/calendar.ts";
import type { AuditedCall, Origin, PersonCall } from "#server/http/caller.ts";
import type { Document } from "#server/http/document.ts";
import { newSecretLink, secretDigest } from "#server/http/secret-link.ts";
import {
  announceSecurity,
  audit,
  auditAct,
  type LoginDenied,
  type PasswordChosen,
  requireAddressRateLimit,
  requireOpenSession,
} from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

const purpose = "meal calendar";

/** Since when the caller has an address, null without one. */
export async function readCalendarState({ deps, caller }: PersonCall<unknown>) {
  const found = await query(deps.db).maybeOne(sql<{ madeAt: Date }>`
    select made_at from meal_calendar
    where person_id = ${caller.personId}`);
  return { madeAt: found?.madeAt.toISOString() ?? null };
}

/**
 * Makes a new address, shown this once; the former one ends. Whoever has it reads where the children are
 * without a session, so making one sends a security notice.
 */
export async function makeCalendar(
  { deps, caller, origin }: AuditedCall<unknown>,
  site: string,
): Promise<{ address: string }> {
  const { address, digest } = newSecretLink(purpose, {
    siteOrigin: site,
    path: "/api/canteen/calendar/",
  });
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await requireOpenSession(tx, caller);
    await sql`insert into meal_calendar (person_id, secret_hash, made_at)
      values (${caller.personId}, ${digest}, ${at})
      on conflict (person_id) do update set secret_hash = excluded.secret_hash,
        made_at = excluded.made_at`.execute(tx);
    await auditAct(tx, { caller, origin }, "meal.calendar", { at });
    await announceSecurity(tx, deps, {
      personId: caller.personId,
      title: "Adresse du calendrier des repas créée",
      changed: ["meal_calendar"],
      path: paths.meals,
      what: "Une adresse secrète donne maintenant les repas de votre famille. Celle d’avant ne sert plus.",
      advice:
        "Si ce n’est pas vous, supprimez-la depuis le suivi de la cantine et changez votre mot de passe.",
    });
  });
  return { address };
}

/** Ends the address of the caller's calendar; again, it changes nothing. */
export async function revokeCalendar({ deps, caller, origin }: AuditedCall<unknown>) {
  const at = deps.now();
  const { personId } = caller;
  await inTx(deps.db, (tx) => endCalendar(tx, { personId, address: origin.address, at }));
  return { message: "L’adresse ne sert plus." };
}

/** Ends the address if it was made from `since` on; returns whether there was one. */
async function endCalendar(
  tx: Tx,
  { personId, since, address, at }: { personId: number; since?: Date; address: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`delete from meal_calendar where person_id = ${personId}
    and made_at >= ${since ?? "-infinity"} returning person_id`.execute(tx);
  if (rows.length === 0) return false;
  const line = { personId, action: "meal.calendar_end", actor: "person", address, at };
  await audit(tx, { ...line, details: {} });
  return true;
}

/** The address may be the intruder's: once a login was denied, one made since it began ends. */
export async function endDeniedCalendar(tx: Tx, deps: Deps, denied: LoginDenied): Promise<void> {
  if (await endCalendar(tx, denied)) await notifyCalendarEnded(tx, deps, denied);
}

/** A password chosen with a code or a recovery code ends what the former one gave access to. */
export async function endFormerCalendar(tx: Tx, deps: Deps, chosen: PasswordChosen): Promise<void> {
  if (chosen.how !== "forgot" && chosen.how !== "recovery") return;
  if (await endCalendar(tx, chosen)) await notifyCalendarEnded(tx, deps, chosen);
}

/** Its person may have subscribed to it in a calendar of their own. */
async function notifyCalendarEnded(
  tx: Tx,
  deps: Deps,
  { personId, at }: { personId: number; at: Date },
): Promise<void> {
  await announce(tx, deps, {
    about: "security",
    to: [personId],
    title: "Adresse du calendrier des repas supprimée",
    body: "Votre compte a été sécurisé : l’adresse du calendrier de vos repas ne sert plus. Si vous vous en serviez, créez-en une autre depuis le suivi de la cantine.",
    path: paths.meals,
    at,
  });
}

/**
 * The calendar of an address. Refuses `not_found` once it is ended or its person gone,
 * `too_many_requests` by the reader's address. A reader that names the ETag it has gets no body.
 */
export async function readCalendar(
  deps: Deps,
  {
    secret,
    origin,
    etag,
    site,
  }: { secret: string; origin: Origin; etag: string | undefined; site: string },
): Promise<Document> {
  const { address } = origin;
  const perMinute = mealCalendar.perMinute;
  await requireAddressRateLimit(deps, { act: "meal-calendar", address, perMinute });
  const found = await query(deps.db).maybeOne(sql<{ personId: number }>`
    select k.person_id from meal_calendar k join person p on p.id = k.person_id
    where k.secret_hash = ${secretDigest(purpose, secret)} and p.disabled_at is null`);
  if (!found) throw new Problem("not_found");
  const body = await mealsAsCalendar(deps, found.personId, site);
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const headers = { etag: tag, "cache-control": "private, no-cache" };
  const type = "text/calendar; charset=utf-8";
  const isCurrent = (etag ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
  if (isCurrent) return { type, body: "", status: 304, headers };
  return { type, body, headers };
}

interface MealRow {
  id: string;
  name: string;
  canteen: string;
  place: string;
  day: string;
  from: string;
  until: string;
  state: MealOrderState;
  changedAt: Date;
}

const ended: readonly MealOrderState[] = ["refused", "cancelled", "expired"];

async function mealsAsCalendar(deps: Deps, personId: number, site: string): Promise<string> {
  const since = addDays(parisDay(deps.now()), -mealCalendar.pastDays);
  const { rows } = await sql<MealRow>`
    select o.id, p.name, c.name as canteen, c.street || ', ' || c.town as place,
      to_char(o.on_day, 'YYYY-MM-DD') as day, to_char(c.serves_from, 'HH24:MI') as from,
      to_char(c.serves_until, 'HH24:MI') as until, o.state,
      coalesce(o.ended_at, o.served_at, o.validated_at, o.ordered_at) as changed_at
    from meal_order o join canteen c on c.id = o.canteen_id join person p on p.id = o.person_id
    where o.on_day >= ${since}::date and ${mayActFor(personId, sql.ref("o.person_id"))}
    order by o.on_day, o.number`.execute(deps.db);
  const { hostname } = new URL(deps.config.publicUrl);
  const events = rows.map((meal) => ({
    uid: `repas-${meal.id}@${hostname}`,
    startsAt: instantOfParis(meal.day, meal.from),
    endsAt: instantOfParis(meal.day, meal.until),
    title: `Cantine\u202f: ${firstName(meal.name)}`,
    place: `${meal.canteen}, ${meal.place}`,
    description: `${mealOrderStateNames[meal.state]}.`,
    url: `${site}${paths.meals}`,
    changedAt: meal.changedAt,
    sequence: ended.includes(meal.state) ? 1 : 0,
    cancelled: ended.includes(meal.state),
  }));
  return calendarFile(events, deps.now(), { name: "Cantine", refreshHours: 6 });
}
