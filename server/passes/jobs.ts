// Hourly job of passes: they start and expire by the day in Paris, suspensions end when their days are
// used up, and holders are reminded a week before the end.
import { sql } from "kysely";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { passes as limits } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { endSuspension } from "./lifecycle.ts";
import { readPass } from "./pass-rows.ts";
import { announcePass } from "./announcements.ts";

const atOnce = 500;

/** Brings the states of passes up to date; running it again changes nothing. */
export async function updatePassStates(deps: Deps): Promise<void> {
  const at = deps.now();
  await sql`update pass set state = 'expired' where id in (
    select id from pass where state in ('pending', 'active') and valid_until <= ${at}
    for update skip locked)`.execute(deps.db);
  await sql`update pass set state = 'active' where id in (
    select id from pass where state = 'pending' and valid_from <= ${at} for update skip locked)`.execute(
    deps.db,
  );
  await endSuspensions(deps, at);
  await remindBeforeEnd(deps, at);
}

async function endSuspensions(deps: Deps, at: Date): Promise<void> {
  const today = parisDay(at);
  const { rows } = await sql<{ id: string }>`
    select p.id from pass p join fare_product f on f.id = p.product_id
    where p.state = 'suspended'
      and p.suspended_on + (f.max_suspended_days - p.suspended_days) <= ${today}::date
    limit ${atOnce}`.execute(deps.db);
  for (const { id } of rows) {
    await inTx(deps.db, async (tx) => {
      await sql`select from pass where id = ${id} for update`.execute(tx);
      const row = await readPass(tx, id, at);
      if (row?.state === "suspended") await endSuspension(tx, deps, row, at);
    });
  }
}

/** Reminds once, for a pass of a month or longer, unless the next one is bought already. */
async function remindBeforeEnd(deps: Deps, at: Date): Promise<void> {
  const before = startOfDay(addDays(parisDay(at), limits.remindDays + 1));
  const due = sql`p.state = 'active' and p.reminded_at is null and p.valid_until > ${at}
    and p.valid_until <= ${before}`;
  const { rows } = await sql<{ id: string }>`
    select p.id from pass p join fare_product f on f.id = p.product_id
    where ${due} and f.kind in ('month', 'year', 'school')
      and not exists (select from pass next where next.holder_id = p.holder_id
        and next.product_id = p.product_id and next.state in ('pending', 'active', 'suspended')
        and next.valid_until > p.valid_until)
    limit ${atOnce}`.execute(deps.db);
  for (const { id } of rows) {
    await inTx(deps.db, async (tx) => {
      const marked = await query(tx).maybeOne(sql<{ id: string }>`
        update pass p set reminded_at = ${at} where p.id = ${id} and ${due} returning id`);
      const row = marked && (await readPass(tx, id, at));
      if (!row) return;
      const last = formatDate(parisDay(new Date(row.validUntil.getTime() - 1)));
      await announcePass(tx, deps, {
        holderId: row.holderId,
        name: row.name,
        groupId: row.groupId,
        title: "Titre bientôt terminé",
        what: `se termine le ${last}. Achetez le suivant pour continuer à voyager.`,
        at,
        outside: true,
      });
    });
  }
}
