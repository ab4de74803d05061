// The audit trail: who did what on an account, appended in the transaction of the action.
import { sql } from "kysely";
import { prepared, type Tx } from "#server/db/db.ts";
import type { Caller, Origin } from "#server/http/caller.ts";

/** A line of the audit trail. `details` never holds a secret, a code or a password. */
export interface AuditLine {
  personId: number;
  /** The action, `area.verb`: `session.open`, `card.oppose`… (see activity.ts for the texts). */
  action: string;
  /** `person` (oneself), `guardian:<id>`, `company:<id>`, `provider:<id>`, `operator:<name>` or `system`. */
  actor: string;
  address: string | null;
  details?: Record<string, string | number | boolean | null>;
  at: Date;
}

/** Appends to the audit trail, in the transaction of the action; a job seals it seconds later. */
export const audit = (tx: Tx, line: AuditLine): Promise<void> => auditAll(tx, [line]);

/** The same for many lines in one statement. */
export async function auditAll(tx: Tx, lines: readonly AuditLine[]): Promise<void> {
  const column = <T>(read: (line: AuditLine) => T) => lines.map(read);
  await sql`${prepared("audit-lines")}
    insert into audit (person_id, at, actor, action, address, details)
    select * from unnest(${column((line) => line.personId)}::bigint[],
      ${column((line) => line.at.toISOString())}::timestamptz[],
      ${column((line) => line.actor)}::text[], ${column((line) => line.action)}::text[],
      ${column((line) => line.address)}::text[],
      ${column((line) => JSON.stringify(line.details ?? {}))}::jsonb[])`.execute(tx);
}

interface AuditEntry extends Pick<AuditLine, "details" | "at"> {
  /** Person whose trail gets the line; by default the caller. */
  personId?: number;
  /** Capacity in which the caller acts on somebody else; by default as their guardian. */
  as?: "company" | "provider";
}

interface AuditSource {
  caller: Pick<Caller, "personId">;
  origin: Pick<Origin, "address">;
}

/** Appends the line of an action by a call: its caller, and its origin. */
export const auditAct = (
  tx: Tx,
  source: AuditSource,
  action: string,
  entry: AuditEntry,
): Promise<void> => auditActs(tx, source, action, [entry]);

/** The same for an action on several people or things, in one statement. */
export function auditActs(
  tx: Tx,
  { caller, origin }: AuditSource,
  action: string,
  entries: readonly AuditEntry[],
): Promise<void> {
  return auditAll(
    tx,
    entries.map(({ personId = caller.personId, as, ...entry }) => {
      const own = as === undefined && personId === caller.personId;
      const actor = own ? "person" : `${as ?? "guardian"}:${caller.personId}`;
      return { personId, action, actor, address: origin.address, ...entry };
    }),
  );
}

/** Appends the line of an operator's action on a person, from the command line. */
export const auditOperator = (
  tx: Tx,
  operator: string,
  action: string,
  entry: Pick<AuditLine, "personId" | "details" | "at">,
): Promise<void> => audit(tx, { action, actor: `operator:${operator}`, address: null, ...entry });
