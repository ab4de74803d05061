// Finding what went around the triggers of the audit trail: for the nightly check and the operator.
import { sql } from "kysely";
import type { Db } from "#server/db/db.ts";

export interface Broken {
  personId: number;
  /** Number of the line in the person's chain. */
  seq: number;
  /** `altered`: the line says something else than when written; `missing`: one before it is gone;
   * `head`: the last lines are gone. */
  why: "altered" | "missing" | "head";
}

/** The places where the audit trail does not hold: none in a sound database. */
export async function brokenAudit(db: Db): Promise<Broken[]> {
  const { rows } = await sql<Broken>`
    select person_id as "personId", seq, why from audit_broken() order by 1, 2`.execute(db);
  return rows;
}
