// Life-cycle states of the electronic invoice as platforms report them: noted by the operator, kept forever.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { lifeCycle, type LifeCycleCode, needsReason } from "#contract/invoices/life-cycle.ts";
import type { Db } from "#server/db/db.ts";

interface NewEvent {
  id: string;
  code: number;
  reason: string | undefined;
  by: string;
  at: Date;
}

/** Notes a state; refuses `invalid_input` for an unknown code, `reason_needed` where it requires a reason. */
export async function noteEvent(db: Db, { id, code, reason, by, at }: NewEvent): Promise<void> {
  if (!(code in lifeCycle)) throw new Problem("invalid_input", { what: "code, de 200 à 213" });
  const why = reason?.trim().slice(0, 200) ?? "";
  if (needsReason.has(code) && why === "") throw new Problem("reason_needed");
  await sql`insert into invoice_event (invoice_id, code, at, reason, noted_by, noted_at)
    values (${id}, ${code}, ${at}, ${why === "" ? null : why}, ${by}, ${at})`.execute(db);
}

/** States of a document in words, the oldest first. */
export async function readEvents(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ code: LifeCycleCode; at: Date; reason: string | null }>`
    select code, at, reason from invoice_event where invoice_id = ${id} order by at, id`.execute(
    db,
  );
  return rows.map(
    ({ code, at, reason }) =>
      `${formatDateTime(at)}  ${code} ${lifeCycle[code]}${reason ? `\u202f: ${reason}` : ""}`,
  );
}
