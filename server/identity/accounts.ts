// Accounts that the operator disables and enables again, each time with a reason. A disabled account has no
// session and opens none; what it owns stays as it is.
import { Problem } from "#contract/errors.ts";
import { sql } from "kysely";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { auditOperator } from "./audit.ts";
import { endSessions } from "./session-end.ts";

interface AccountChange {
  cardnumber: number;
  why: string;
  operator: string;
}

interface Account {
  id: number;
  name: string;
  disabledAt: Date | null;
  disabledWhy: string | null;
}

/**
 * Disables the account of a card and ends its sessions; returns how many. Refuses `account_state` when it is
 * disabled or closed already, `not_found`.
 */
export function disableAccount(
  deps: OperatorDeps,
  { cardnumber, why, operator }: AccountChange,
): Promise<{ name: string; ended: number }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { id, name, disabledAt } = await lockAccount(tx, cardnumber);
    if (disabledAt) throw new Problem("account_state", { state: "désactivé ou fermé" });
    await sql`update person set disabled_at = ${at}, disabled_why = ${why}
      where id = ${id}`.execute(tx);
    const ended = await endSessions(tx, id, { why: "disabled", at });
    await record(tx, id, { action: "account.disable", why, operator, at });
    return { name, ended };
  });
}

/**
 * Enables an account that the operator disabled. Refuses `account_state` for one that is enabled, or that
 * is closed for good; `not_found`.
 */
export function enableAccount(
  deps: OperatorDeps,
  { cardnumber, why, operator }: AccountChange,
): Promise<{ name: string }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { id, name, disabledAt, disabledWhy } = await lockAccount(tx, cardnumber);
    if (!disabledAt) throw new Problem("account_state", { state: "actif" });
    if (disabledWhy === null) throw new Problem("account_state", { state: "fermé pour de bon" });
    await sql`update person set disabled_at = null, disabled_why = null
      where id = ${id}`.execute(tx);
    await record(tx, id, { action: "account.enable", why, operator, at });
    return { name };
  });
}

export interface DisabledAccount {
  cardnumber: number | null;
  name: string;
  at: Date;
  why: string;
}

/** Accounts that the operator disabled, the latest first, at most 200. */
export async function disabledAccounts(db: Db): Promise<DisabledAccount[]> {
  const { rows } = await sql<DisabledAccount>`
    select card.number as cardnumber, p.name, coalesce(p.disabled_at, p.created_at) as at, p.disabled_why as why
    from person p left join lateral current_card(p.id) card on true
    where p.disabled_why is not null order by p.disabled_at desc, p.id limit 200`.execute(db);
  return rows;
}

// Takes the lock that a login takes to read (startSession): of the two, the second sees the first.
async function lockAccount(tx: Tx, cardnumber: number): Promise<Account> {
  const found = await query(tx).maybeOne(sql<Account>`
    select p.id, p.name, p.disabled_at, p.disabled_why
    from card c join person p on p.id = c.person_id
    where c.number = ${cardnumber} for update of p`);
  if (!found) throw new Problem("not_found");
  return found;
}

const record = (
  tx: Tx,
  personId: number,
  { action, why, operator, at }: { action: string; why: string; operator: string; at: Date },
) => auditOperator(tx, operator, action, { personId, details: { why }, at });
