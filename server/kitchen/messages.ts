// Messages of a canteen to families: readers counted beforehand, sent once through the notices and e-mails
// that each person chose, and kept with their sender.
import { sql } from "kysely";
import { messages as limits } from "#contract/kitchen/limits.ts";
import type { CanteenMessage } from "#contract/kitchen/messages.ts";
import { parisDay, startOfDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, plural } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import { withGuardians } from "#server/family/family.ts";
import { auditAct } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { CanteenCall } from "./canteens.ts";
import { countsOn } from "./registration-days.ts";
import { lockCanteens } from "./rules.ts";

/** Whom a message is for; null for any day, any class. */
interface Target {
  day: string | null;
  className: string | null;
}

/**
 * The persons whom a message reaches: those who eat on the day, else those who are registered, with the
 * guardians of children; closed accounts are left out.
 */
async function readersOf(
  db: Db,
  canteenId: string,
  { day, className }: Target,
  today: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct r.person_id as id from canteen_registration r
    where r.canteen_id = ${canteenId}
      and (${className}::text is null or r.class = ${className}::text)
      and case when ${day}::date is null then ${countsOn("r", sql`${today}::date`)}
        else exists (select from meal_order o where o.registration_id = r.id
          and o.on_day = ${day}::date and o.state in ('reserved', 'validated', 'served')) end`.execute(
    db,
  );
  if (rows.length === 0) return [];
  const all = await withGuardians(
    db,
    rows.map(({ id }) => id),
  );
  const open = await sql<{ id: number }>`
    select id from person where id = any (${all}::bigint[]) and disabled_at is null`.execute(db);
  return open.rows.map(({ id }) => id);
}

/** How many persons a message would reach. */
export async function readMessageReaders({
  deps,
  canteen: { id },
  input,
}: CanteenCall<{ day?: string | undefined; className?: string | undefined }>) {
  const target = { day: input.day ?? null, className: input.className ?? null };
  return { readers: (await readersOf(deps.db, id, target, parisDay(deps.now()))).length };
}

type MessageRow = Omit<CanteenMessage, "sentAt"> & { sentAt: Date };

/** The messages that a canteen sent, the last first. */
export async function readMessages({
  deps,
  canteen: { id },
  input,
}: CanteenCall<{ before?: string | undefined }>) {
  const { rows } = await sql<MessageRow>`
    select m.id, to_char(m.on_day, 'YYYY-MM-DD') as day, m.class as class_name, m.title, m.body,
      p.name as sent_by, date_trunc('milliseconds', m.sent_at) as sent_at, m.readers
    from canteen_message m join person p on p.id = m.sent_by
    where m.canteen_id = ${id}
      and (${input.before ?? null}::timestamptz is null or m.sent_at < ${input.before ?? null}::timestamptz)
    order by m.sent_at desc limit ${lists.defaultLimit + 1}`.execute(deps.db);
  const { items, next } = pageOf(rows, lists.defaultLimit, ({ sentAt }) => sentAt.toISOString());
  return { items: items.map((row) => ({ ...row, sentAt: row.sentAt.toISOString() })), next };
}

/**
 * Sends a message in one transaction with its notices. The same `id` again returns the same and sends
 * nothing. Refuses `canteen_message_nobody`, `canteen_message_readers` when others would be reached than were
 * shown, `canteen_message_twin` and `canteen_message_max`.
 */
export function sendMessage(
  call: CanteenCall<Target & { id: string; title: string; body: string; readers: number }>,
): Promise<{ message: string }> {
  const { deps, caller, canteen, input } = call;
  const { day, className } = input;
  const [title, body] = [input.title.trim(), input.body.trim()];
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const { id: canteenId, name } = canteen;
    // One message of a canteen at a time, so that the counts below stay true until it is written.
    await lockCanteens(tx, [canteenId]);
    const known = await query(tx).maybeOne(sql<{ readers: number }>`
      select readers from canteen_message
      where id = ${input.id} and canteen_id = ${canteenId}`);
    if (known) return sentTo(known.readers);
    await requireRoom(tx, { canteenId, day, className, title, body, at });
    const to = await readersOf(tx, canteenId, { day, className }, parisDay(at));
    if (to.length === 0) throw new Problem("canteen_message_nobody");
    if (to.length !== input.readers) {
      throw new Problem("canteen_message_readers", { readers: formatCount(to.length) });
    }
    const found = await query(tx).maybeOne(sql<{ id: string }>`
      insert into canteen_message (id, canteen_id, on_day, class, title, body, sent_by, sent_at, readers)
      values (${input.id}, ${canteenId}, ${day}, ${className}, ${title}, ${body}, ${caller.personId},
        ${at}, ${to.length})
      on conflict (id) do nothing returning id`);
    // The id of another canteen's message.
    if (!found) throw new Problem("not_found");
    await announce(tx, deps, {
      about: "meal",
      to,
      title: `${name}\u202f: ${title}`,
      body,
      path: paths.canteenProviders,
      at,
      channels: ["email"],
    });
    await auditAct(tx, call, "canteen.message", {
      details: { name, title, readers: to.length },
      at,
    });
    return sentTo(to.length);
  });
}

const sentTo = (readers: number) => ({
  message: `Message envoyé à ${plural(readers, "personne")}.`,
});

/** Refuses the same words to the same families again, and more messages than the daily limit. */
async function requireRoom(
  db: Db,
  one: Target & { canteenId: string; title: string; body: string; at: Date },
): Promise<void> {
  const { canteenId, day, className, title, body, at } = one;
  const since = new Date(at.getTime() - limits.twinHours * 3_600_000);
  const { isTwin, today } = await query(db).one(sql<{ today: number; isTwin: boolean }>`
    select count(*) filter (where sent_at >= ${startOfDay(parisDay(at))})::int as today,
      coalesce(bool_or(sent_at > ${since} and title = ${title} and body = ${body}
        and on_day is not distinct from ${day}::date
        and class is not distinct from ${className}::text), false) as is_twin
    from canteen_message where canteen_id = ${canteenId}
      and sent_at > ${since}::timestamptz - interval '2 hours'`);
  if (isTwin) throw new Problem("canteen_message_twin");
  if (today >= limits.perDay) {
    throw new Problem("canteen_message_max", { max: limits.perDay });
  }
}
