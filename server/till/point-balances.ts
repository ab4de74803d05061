// The holder's view of their points: by partner and last day, and how each was earned.
import { type RawBuilder, sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { lists } from "#contract/limits.ts";
import type { PointBalance, PointKind, PointMovement } from "#contract/till/points.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { movementsOf } from "#server/ledger/ledger.ts";

/** SQL: the names of a company's places as its customers know them, else its legal name. */
export const namesOfCompany = (company: RawBuilder<unknown>): RawBuilder<string> => sql`
  (select coalesce((select string_agg(p.name, ', ' order by p.name collate "fr-x-icu")
      from partner p where p.company_id = c.id), c.name)
    from company c where c.id = ${company})`;

async function holderOf(db: Db, callerId: number, cardnumber: number): Promise<number> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select person_id as id from card where number = ${cardnumber}
      and ${mayActFor(callerId, sql.ref("card.person_id"))}`);
  if (!found) throw new Problem("not_found");
  return found.id;
}

/** Points by partner, by name, each with its lots in the order in which they are spent. */
export async function readPoints({
  deps,
  caller,
  input,
}: PersonCall<{ cardnumber: number }>): Promise<{ items: PointBalance[] }> {
  const personId = await holderOf(deps.db, caller.personId, input.cardnumber);
  const { rows } = await sql<{ company: string; name: string; points: number; expiresOn: string }>`
    select l.company_id as company, ${namesOfCompany(sql.ref("l.company_id"))} as name,
      a.balance as points, l.expires_on
    from point_lot l join ledger_account a on a.id = l.account_id
    where l.person_id = ${personId} and a.balance > 0
      and l.expires_on >= ${parisDay(deps.now())}::date
    order by l.expires_on`.execute(deps.db);
  const items = [...Map.groupBy(rows, ({ company }) => company).values()].map((lots) => ({
    company: lots[0]?.company ?? "",
    name: lots[0]?.name ?? "",
    points: lots.reduce((sum, { points }) => sum + points, 0),
    lots: lots.map(({ points, expiresOn }) => ({ points, expiresOn })),
  }));
  return { items: items.toSorted((a, b) => a.name.localeCompare(b.name, "fr")) };
}

/** Movements of the points of a card, newest first, by pages from the id of the last one seen. */
export async function readMovements({
  deps,
  caller,
  input,
}: PersonCall<{
  cardnumber: number;
  before?: number | undefined;
  limit?: number | undefined;
}>): Promise<{ items: PointMovement[]; next: number | null }> {
  const { db } = deps;
  const personId = await holderOf(db, caller.personId, input.cardnumber);
  const { rows } = await sql<{ accountId: number; expiresOn: string }>`
    select account_id, expires_on from point_lot
    where person_id = ${personId}`.execute(db);
  const days = new Map(rows.map(({ accountId, expiresOn }) => [accountId, expiresOn]));
  const page = await movementsOf(db, [...days.keys()], {
    before: input.before,
    limit: input.limit ?? lists.defaultLimit,
  });
  const items = page.items.map((one) => ({
    id: one.id,
    at: one.at.toISOString(),
    kind: one.kind.replace("points_", "") as PointKind,
    points: one.amountCents,
    label: String(one.memo?.["label"] ?? ""),
    expiresOn: days.get(one.debitAccount) ?? days.get(one.creditAccount) ?? "",
  }));
  return { items, next: page.next };
}
