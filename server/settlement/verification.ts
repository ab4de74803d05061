// Proves, beside the ledger's own audit, that the settlement agrees with it: each settled month with its
// lines and its postings, each company's account with its months and payouts, and the accounts of the sources
// with the sales in the rooms' tables.
import { type RawBuilder, sql } from "kysely";
import { formatCount, formatMoney, plural } from "#contract/french.ts";
import type { SettlementSource } from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult } from "#server/process/room.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { sourceAccounts } from "./collect.ts";

/** Run by `operator ledger verify` and each night. */
export async function proveSettlements({ db }: Pick<Deps, "db">): Promise<CommandResult> {
  const found = await Promise.all([
    wrongIn(db, "la somme des lignes diffère du relevé", wrongSums),
    wrongIn(db, "le grand livre diffère du relevé", wrongPostings),
    wrongIn(db, "le compte diffère des relevés et des versements", wrongAccounts),
    wrongIn(db, "l'argent en transit diffère des versements", wrongTransit),
    sourceDifference(db, "till", { name: "caisses", sold: tillSales }),
    sourceDifference(db, "ticket", { name: "e-billets", sold: ticketSales }),
  ]);
  const lines = found.flat();
  if (lines.length > 0) return { ok: false, lines };
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from settlement`);
  return {
    ok: true,
    lines: [
      `✓ ${formatCount(count)} ${count > 1 ? "relevés" : "relevé"} de règlement : lignes, grand livre et versements disent la même somme`,
    ],
  };
}

async function wrongIn(db: Db, says: string, statement: RawBuilder<{ what: string }>) {
  const { rows } = await statement.execute(db);
  const [first] = rows;
  return first ? [`✗ règlements : ${says}, ${plural(rows.length, "fois")} (${first.what})`] : [];
}

const wrongSums = sql<{ what: string }>`
  select c.name || ' ' || s.month as what from settlement s join company c on c.id = s.company_id
  left join (select company_id, month, sum(gross_cents) as gross, sum(commission_cents) as commission,
      count(*) as lines from settlement_line group by 1, 2) l
    on l.company_id = s.company_id and l.month = s.month
  where (s.gross_cents, s.commission_cents, s.lines)
    is distinct from (coalesce(l.gross, 0), coalesce(l.commission, 0), coalesce(l.lines, 0))`;

const wrongPostings = sql<{ what: string }>`
  select c.name || ' ' || s.month as what from settlement s join company c on c.id = s.company_id
  join settlement_account a on a.company_id = s.company_id
  cross join lateral (select coalesce(sum(case when t.credit_account = a.account_id then t.amount
      else -t.amount end), 0) as cents
    from transfer t where t.key = 'settlement:' || s.company_id || ':' || s.month
      and a.account_id in (t.credit_account, t.debit_account)) posted
  where posted.cents <> s.gross_cents - s.commission_cents - s.vat_cents`;

const wrongAccounts = sql<{ what: string }>`
  select c.name as what from settlement_account a join company c on c.id = a.company_id
  join ledger_account l on l.id = a.account_id
  where l.balance <> coalesce((select sum(gross_cents - commission_cents - vat_cents)
      from settlement s where s.company_id = a.company_id), 0)
    - coalesce((select sum(amount_cents) from payout p
      where p.company_id = a.company_id and p.state <> 'rejected'), 0)`;

const wrongTransit = sql<{ what: string }>`
  select 'compte ' || l.id as what from scheme_account s join ledger_account l on l.id = s.account_id
  where s.name = 'payouts' and l.balance <>
    coalesce((select sum(amount_cents) from payout where state = 'sent'), 0)`;

/** Sales of the tills, less their refunds. */
const tillSales = sql<number>`
  coalesce((select sum(amount_cents - discount_cents) from till_sale where paid_at is not null), 0)
  - coalesce((select sum(amount_cents) from till_return), 0)`;

/**
 * Tickets at their price, cancelled ones at the amount kept; a transferred one counts as the one that
 * replaced it.
 */
const ticketSales = sql<number>`
  coalesce((select sum(case when k.state = 'cancelled' then k.price_cents - coalesce(k.refund_cents, k.price_cents)
      when k.state in ('used', 'issued', 'expired') then k.price_cents else 0 end)
    from ticket k join ticket_order o on o.id = k.order_id
    where k.issued_at is not null and o.paid_at is not null), 0)`;

/**
 * Sales of a source less refunds and settled months must equal the balance of its account, apart from later
 * reversals by operators. The rooms of meals prove their own (server/meal-service).
 */
async function sourceDifference(
  db: Db,
  source: SettlementSource,
  { name, sold }: { name: string; sold: RawBuilder<number> },
): Promise<string[]> {
  const account = await schemeAccount(db, sourceAccounts[source]);
  const { rooms, ledger } = await query(db).one(sql<{ rooms: number; ledger: number }>`
    select (${sold} - ${settledOf(source)}
      + coalesce((select sum(case when t.credit_account = ${account} then t.amount else -t.amount end)
        from transfer t where t.reverses is not null
          and ${account} in (t.credit_account, t.debit_account)), 0))::bigint as rooms,
      (select balance from ledger_account where id = ${account}) as ledger`);
  return rooms === ledger
    ? []
    : [
        `✗ ${name} : les ventes disent ${formatMoney(rooms)}, le grand livre ${formatMoney(ledger)}`,
      ];
}

/** Amount that settled months took out of the account of a source. */
const settledOf = (source: SettlementSource) => sql<number>`
  coalesce((select sum(l.gross_cents) from settlement_line l
    join settlement s on s.company_id = l.company_id and s.month = l.month
    where l.source = ${source}), 0)`;
