// Privacy: the export of a person's data, the closing of their account, and the retention of each kind of
// data. Refuses to close an account that owes, is owed, or is a child's only guardian.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { privacy } from "#contract/privacy/rows.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { holderFor } from "#server/family/family.ts";
import type { Call } from "#server/http/serve.ts";
import { pointsOf } from "#server/till/till.ts";
import { ticketsToCome } from "#server/tickets/tickets.ts";
import { obstaclesOf, closeDue, closureOf } from "./closing.ts";
import { returnLateMoney } from "./late-money.ts";
import { exportsOf, exportTask, makeExport } from "./exports.ts";
import { register } from "./register.ts";

/**
 * The content of the screen « Mes données » for a card that the caller may act for: exports, a pending
 * closure, the amounts in cents that it would repay or forfeit, and how many tickets and points it would
 * forfeit.
 */
export async function privacyView({
  deps,
  caller,
  input,
}: Call<typeof privacy.read>): Promise<Output<typeof privacy.read>> {
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const [exports, closure, leaving, points, { tickets }] = await Promise.all([
    exportsOf(deps.db, holder.id, caller.personId),
    closureOf(deps.db, holder.id),
    obstaclesOf(deps.db, holder),
    pointsOf(deps.db, { personId: holder.id, at: deps.now() }),
    query(deps.db).one(sql<{ tickets: number }>`select coalesce(sum(count), 0)::int as tickets
      from (${ticketsToCome({ people: [holder.id], at: deps.now() })}) coming`),
  ]);
  const { refundCents, forfeitedCents, obstacles } = leaving;
  const lost = { forfeitedCents, ticketsToCome: tickets, points };
  return { exports, closure, refundCents, ...lost, obstacles };
}

/** SQL: the closing and the latest export of one's own data, for the person of a profile. */
export const ownDataFacts = (at: Date) => sql<{
  closesOn: string | null;
  dataExport: "waiting" | "ready" | null;
}>`
  select jsonb_build_object(
    'closesOn', (select closes_on from closure
      where person_id = person.id and state = 'requested'),
    'dataExport', (select case when ready_at is null then 'waiting' else 'ready' end
      from data_export where person_id = person.id and requested_by = person.id
        and (ready_at is null or expires_at > ${at})
      order by requested_at desc limit 1))`;

/** The stored data of a person, with its period and purpose, as the register lists it (RGPD 13). */
export const retentionView = (): Output<typeof privacy.retention> => ({
  items: register.map(({ label, howLong, purpose }) => ({ what: label, howLong, purpose })),
});

/** Deletes data older than the register allows; answers how many rows of each table were deleted. */
export async function sweepOld(deps: Deps): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  for (const { table, sweep } of register) {
    if (!sweep) continue;
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} t
      where t.${sql.ref(sweep.column)} < ${deps.now()}::timestamptz
        - make_interval(days => ${sweep.days}::int)
        and ${sql.raw(sweep.only ?? "true")}`.execute(deps.db);
    gone[table] = Number(numAffectedRows ?? 0n);
  }
  return gone;
}

/** The jobs of this room. */
export function privacyTasks(deps: Deps) {
  return {
    [exportTask]: (payload: Record<string, unknown>) => makeExport(deps, String(payload["id"])),
    close_accounts: async () => {
      await closeDue(deps);
      await returnLateMoney(deps);
    },
    sweep_old_data: async () => deps.log.info({ gone: await sweepOld(deps) }, "old data is gone"),
  };
}

/** Schedule of the jobs (UTC). */
export const privacyRoutines = [
  { task: "close_accounts", cron: "10 3 * * *" },
  { task: "sweep_old_data", cron: "40 3 * * *" },
] as const;
