// What a provider is owed for meals, read from the ledger: each transfer that an order caused, its undoing at
// the counter and the operator's corrections of it. The charges of the orders must add up to the same: the
// difference must be zero.
import { sql } from "kysely";
import {
  type MealDue,
  type MealDueDay,
  type MealDueKind,
  mealDueKindNames,
  mealDueKinds,
  type MealStatement,
} from "#contract/meal-service/statement.ts";
import { firstOfMonth } from "#contract/days.ts";
import { formatCount, formatDate, formatMoney } from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv } from "#server/http/document.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult } from "#server/process/room.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { canteenOf, type ProviderCall } from "#server/kitchen/kitchen.ts";

interface StatementQuery {
  /** YYYY-MM. */
  month: string;
  canteen?: string | undefined;
}

/** A transfer of an order; one line without a transfer for a meal that cost nothing. */
interface DueLine {
  number: number;
  canteen: string;
  day: string;
  kind: MealDueKind;
  /** Signed: negative for a refund. */
  cents: number;
  aidCents: number;
  transferId: number | null;
  postedAt: Date | null;
}

/** Lines of a provider's meals of a month, by day of service, by order, as they were posted. */
async function dueLines(
  db: Db,
  providerId: number,
  { month, canteen }: StatementQuery,
): Promise<DueLine[]> {
  const meals = await schemeAccount(db, "meals");
  const first = `${month}-01`;
  const { rows } = await sql<DueLine>`
    with recursive meal as materialized (
      select o.id, o.number, o.on_day, o.state, o.wallet_id, o.charged_cents, c.name as canteen
      from meal_order o join canteen c on c.id = o.canteen_id
      where c.provider_id = ${providerId} and (${canteen ?? null}::uuid is null or c.id = ${canteen ?? null}::uuid)
        and o.on_day >= ${first}::date and o.on_day < ${firstOfMonth(first, 1)}::date
    ), posted as (
      select m.id as order_id, t.id, t.at, t.debit_account, t.credit_account, t.amount,
        t.key like 'meal-walk-in%' as walked_in, false as corrected
      from meal m join transfer t on split_part(t.key, ':', 2) = m.id::text and t.key like 'meal-%'
      union all
      select p.order_id, t.id, t.at, t.debit_account, t.credit_account, t.amount, p.walked_in, true
      from posted p join transfer t on t.reverses = p.id and t.key not like 'meal-%'
    ), line as (
      select p.*, case when p.credit_account = ${meals} then p.amount else -p.amount end as cents,
        lot.kind = 'granted' as aided
      from posted p left join wallet_lot lot on lot.account_id =
        case when p.credit_account = ${meals} then p.debit_account else p.credit_account end
    )
    select m.number, m.canteen, to_char(m.on_day, 'YYYY-MM-DD') as day,
      case when l.corrected then 'correction' when m.state = 'absent' then 'absent'
        when m.state <> 'served' then 'late_cancellation'
        when l.walked_in then 'walk_in' else 'served' end as kind,
      coalesce(l.cents, 0) as cents, case when l.aided then l.cents else 0 end as aid_cents,
      l.id as transfer_id, l.at as posted_at
    from meal m left join line l on l.order_id = m.id
    where l.id is not null or m.state = 'absent' or (m.state = 'served' and m.wallet_id is not null)
    order by m.on_day, m.number, l.id`.execute(db);
  return rows;
}

/** Sums lines by kind, in the order of the kinds; a kind without meals or money is left out. */
function sumByKind(lines: readonly DueLine[]): MealDue[] {
  return mealDueKinds.flatMap((kind) => {
    const some = lines.filter((line) => line.kind === kind);
    const [cents, aidCents] = [sumOf(some, "cents"), sumOf(some, "aidCents")];
    // An order that was undone or corrected to nothing is no meal of this kind.
    const isMeal = kind === "served" || kind === "walk_in" || kind === "absent";
    const orders = [...Map.groupBy(some, ({ number }) => number).values()];
    const meals = orders.filter((one) => isMeal || sumOf(one, "cents") !== 0).length;
    return meals === 0 && cents === 0 ? [] : [{ kind, meals, cents, aidCents }];
  });
}

const sumOf = (lines: readonly DueLine[], what: "cents" | "aidCents"): number =>
  lines.reduce((sum, line) => sum + line[what], 0);

const toDay = (day: string, lines: readonly DueLine[]): MealDueDay => {
  const dues = sumByKind(lines);
  const meals = dues
    .filter(({ kind }) => kind !== "correction")
    .reduce((sum, one) => sum + one.meals, 0);
  return { day, dues, meals, cents: sumOf(lines, "cents"), aidCents: sumOf(lines, "aidCents") };
};

/** What the caller is owed for the meals of a month. */
export async function readStatement({
  deps,
  company,
  provider: { id, name },
  input,
}: ProviderCall<StatementQuery>): Promise<MealStatement> {
  const { db } = deps;
  if (input.canteen) await canteenOf(db, company.companyId, input.canteen);
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const lines = await dueLines(tx, id, input);
      const orders = await sumOrders(tx, id, input);
      const posted = sumOf(
        lines.filter(({ kind }) => kind !== "correction"),
        "cents",
      );
      return {
        provider: name,
        days: [...Map.groupBy(lines, ({ day }) => day)]
          .map(([day, some]) => toDay(day, some))
          .filter(({ dues }) => dues.length > 0),
        totals: sumByKind(lines),
        cents: sumOf(lines, "cents"),
        aidCents: sumOf(lines, "aidCents"),
        differenceCents: orders.chargedCents - posted,
        open: orders.open,
        cash: orders.cash,
      };
    });
}

interface OrderSums extends Pick<MealStatement, "open" | "cash"> {
  chargedCents: number;
}

/** The charges of a month according to the orders. A meal paid in cash at the counter has no wallet. */
async function sumOrders(
  db: Db,
  providerId: number,
  { month, canteen }: StatementQuery,
): Promise<OrderSums> {
  const first = `${month}-01`;
  return await query(db).one(sql<OrderSums>`
    select coalesce(sum(o.charged_cents), 0)::int as charged_cents,
      json_build_object('meals', count(*) filter (where isopen),
        'cents', coalesce(sum(o.price_cents) filter (where isopen), 0)) as open,
      json_build_object('meals', count(*) filter (where iscash),
        'cents', coalesce(sum(o.price_cents) filter (where iscash), 0)) as cash
    from meal_order o join canteen c on c.id = o.canteen_id
    cross join lateral (select o.state in ('reserved', 'validated') as isopen,
      o.state = 'served' and o.wallet_id is null as iscash) is_
    where c.provider_id = ${providerId} and (${canteen ?? null}::uuid is null or c.id = ${canteen ?? null}::uuid)
      and o.on_day >= ${first}::date and o.on_day < ${firstOfMonth(first, 1)}::date`);
}

/** The lines of the statement, as CSV. */
export async function statementCsv({
  deps,
  company,
  provider,
  input,
}: ProviderCall<StatementQuery>) {
  if (input.canteen) await canteenOf(deps.db, company.companyId, input.canteen);
  const lines = await dueLines(deps.db, provider.id, input);
  const head = ["Jour", "Restaurant", "Commande", "Nature", "Montant", "Dont aides"];
  return csv(
    csvOf([
      [...head, "Écriture", "Passée le"],
      ...lines.map((line) => [
        formatDate(line.day),
        plain(line.canteen),
        line.number,
        mealDueKindNames[line.kind],
        decimal(line.cents),
        decimal(line.aidCents),
        line.transferId ?? "",
        line.postedAt ? formatDate(line.postedAt) : "",
      ]),
      [
        "Total",
        "",
        "",
        "",
        decimal(sumOf(lines, "cents")),
        decimal(sumOf(lines, "aidCents")),
        "",
        "",
      ],
    ]),
    `cantine-releve-${input.month}.csv`,
  );
}

/**
 * Proves, beside the ledger's own audit, that the charges of the orders are what the ledger posted for them,
 * and that the account of meals holds exactly these charges, less corrections and settlements.
 */
export async function proveMealDues({ db }: Pick<Deps, "db">): Promise<CommandResult> {
  const meals = await schemeAccount(db, "meals");
  const { orders, wrong, example, rest } = await query(db).one(sql<{
    orders: number;
    wrong: number;
    example: number | null;
    rest: number;
  }>`
    with posted as (
      select split_part(key, ':', 2) as order_id,
        sum(case when credit_account = ${meals} then amount else -amount end) as cents
      from transfer where key like 'meal-%' group by 1
    ), corrected as (
      select coalesce(sum(case when credit_account = ${meals} then amount else -amount end), 0) as cents
      from transfer where ${meals} in (debit_account, credit_account)
        and (reverses is not null and key not like 'meal-%' or kind = 'settlement')
    ), compared as (
      select o.number, coalesce(p.cents, 0) as cents,
        coalesce(o.charged_cents, 0) <> coalesce(p.cents, 0) as differs
      from meal_order o left join posted p on p.order_id = o.id::text
    )
    select count(*)::int as orders, (count(*) filter (where differs))::int as wrong,
      (min(number) filter (where differs))::int as example,
      ((select balance from ledger_account where id = ${meals})
        - coalesce(sum(cents), 0) - (select cents from corrected))::int as rest
    from compared`);
  if (wrong > 0 || rest !== 0) {
    const first = example === null ? "" : `, la commande ${example} d'abord`;
    return {
      ok: false,
      lines: [
        `✗ repas : ${formatCount(wrong)} commandes diffèrent du grand livre${first} ; ${formatMoney(rest)} sans commande`,
      ],
    };
  }
  return {
    ok: true,
    lines: [`✓ ${formatCount(orders)} repas : chaque commande coûte ce que le grand livre a passé`],
  };
}
