// Warns once, some days before, that granted money expires: each bearer who has some left, and the company.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceToBearer, announceToCompany } from "./announcements.ts";
import { isOwed, lockGrant } from "./grant-rows.ts";

/** Warns of the grants that expire within `soonDays`; returns how many. */
export async function warnOfEnds(deps: Deps): Promise<number> {
  const until = addDays(parisDay(deps.now()), limits.soonDays);
  const { rows } = await sql<{ id: string }>`
    select id from company_grant where state = 'granted' and warned_at is null
      and expires_on <= ${until}::date order by expires_on, id limit 500`.execute(deps.db);
  let warnedCount = 0;
  for (const { id } of rows) if (await inTx(deps.db, (tx) => warn(tx, deps, id))) warnedCount += 1;
  return warnedCount;
}

/** Returns whether any of it is left to warn of. */
async function warn(tx: Tx, deps: Deps, id: string): Promise<boolean> {
  const row = await lockGrant(tx, id);
  const at = deps.now();
  const { rows: marked } = await sql`update company_grant set warned_at = ${at}
    where id = ${id} and warned_at is null returning id`.execute(tx);
  if (marked.length === 0) return false;
  const { rows: left } = await sql<{ personId: number; cents: number }>`
    select l.person_id, a.balance - a.held as cents from company_grant_card l
    join ledger_account a on a.id = l.account_id
    where l.grant_id = ${id} and a.balance > a.held order by l.person_id`.execute(tx);
  if (left.length === 0) return false;
  const day = formatDate(row.expiresOn);
  for (const { personId, cents } of left) {
    await announceToBearer(
      tx,
      deps,
      { personId, groupId: row.groupId },
      {
        title: `${formatMoney(cents)} à utiliser avant le ${day}`,
        body: `«\u00a0${row.label}\u00a0», accordé par ${row.company}, finit le ${day}. ${row.rule} Ce qui reste revient à l'entreprise.`,
        at,
      },
    );
  }
  const sum = left.reduce((total, { cents }) => total + cents, 0);
  await announceToCompany(tx, deps, row, {
    title: "Une dotation finit bientôt",
    what: `${formatMoney(sum)} ne sont pas dépensés, sur ${plural(left.length, "carte")}. Après le ${day}, ils ${isOwed(row) ? "ne seront plus dus" : "vous reviennent"}.`,
    at,
  });
  return true;
}
