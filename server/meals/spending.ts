// Spending on meals of the people who ordered them, read from the ledger: each month's figures, announced
// once when it is over, and a year's on paper. Money is counted on the day of its meal, and signed.
import { sql } from "kysely";
import type { MealSpending } from "#contract/meals/spending.ts";
import { addDays, addMonths, firstOfMonth, parisDay } from "#contract/days.ts";
import { formatMoney, formatMonth, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { type Db, inTx } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import type { Deps } from "#server/process/deps.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { announceMeal } from "./announcements.ts";

interface SpentLine {
  /** Person who ordered. */
  payerId: number;
  name: string;
  meals: number;
  cents: number;
  aidCents: number;
}

/** From one day to before another, both ISO dates. */
interface Period {
  from: string;
  before: string;
}

/**
 * By payer and person, the cost of the meals of a period; `payer` limits it to one's own. Without cost or
 * meal, no line.
 */
async function spentOver(
  db: Db,
  { from, before }: Period,
  payer: number | null,
): Promise<SpentLine[]> {
  const meals = await schemeAccount(db, "meals");
  const { rows } = await sql<SpentLine>`
    with recursive meal as materialized (
      select id, ordered_by, person_id, state from meal_order
      where on_day >= ${from}::date and on_day < ${before}::date
        and (${payer}::bigint is null or ordered_by = ${payer}::bigint)
    ), posted as (
      select m.id as order_id, t.id, t.debit_account, t.credit_account, t.amount
      from meal m join transfer t on split_part(t.key, ':', 2) = m.id::text and t.key like 'meal-%'
      union all
      select p.order_id, t.id, t.debit_account, t.credit_account, t.amount
      from posted p join transfer t on t.reverses = p.id and t.key not like 'meal-%'
    ), line as (
      select p.order_id, case when p.credit_account = ${meals} then p.amount else -p.amount end as cents,
        case when p.credit_account = ${meals} then p.debit_account else p.credit_account end as account
      from posted p
    ), cost as (
      select l.order_id, sum(l.cents)::int as cents,
        coalesce(sum(l.cents) filter (where lot.kind = 'granted'), 0)::int as aid
      from line l left join wallet_lot lot on lot.account_id = l.account group by l.order_id
    )
    select m.ordered_by as payer_id, p.name,
      (count(*) filter (where m.state = 'served'))::int as meals,
      coalesce(sum(cost.cents), 0)::int as cents, coalesce(sum(cost.aid), 0)::int as aid_cents
    from meal m join person p on p.id = m.person_id left join cost on cost.order_id = m.id
    where m.state = 'served' or cost.cents <> 0
    group by m.ordered_by, p.id order by m.ordered_by, p.name, p.id`.execute(db);
  return rows;
}

const sum = (lines: readonly SpentLine[], what: "meals" | "cents" | "aidCents"): number =>
  lines.reduce((total, line) => total + line[what], 0);

const totalOf = (lines: readonly SpentLine[]): MealSpending => ({
  meals: sum(lines, "meals"),
  cents: sum(lines, "cents"),
  aidCents: sum(lines, "aidCents"),
  people: lines.map(({ name, meals, cents, aidCents }) => ({ name, meals, cents, aidCents })),
});

const monthOf = (month: string): Period => ({
  from: `${month}-01`,
  before: addMonths(`${month}-01`, 1),
});

/** The cost of the caller's meals of a month (YYYY-MM). */
export async function readMonthSpending({ deps, caller, input }: PersonCall<{ month: string }>) {
  return totalOf(await spentOver(deps.db, monthOf(input.month), caller.personId));
}

/** « 14 repas, 48,30 €, dont 12,40 € d’aide » */
function inWords({ meals, cents, aidCents }: Omit<MealSpending, "people">): string {
  const aid = aidCents > 0 ? `, dont ${formatMoney(aidCents)} d’aide` : "";
  return `${plural(meals, "repas", "repas")}, ${formatMoney(cents)}${aid}`;
}

/**
 * Tells everybody the cost of their meals of the month before, once; after the third day, when the month's
 * open meals are closed. Returns how many were told.
 */
export async function notifyMonthlySpending(deps: Deps): Promise<number> {
  const at = deps.now();
  const today = parisDay(at);
  if (Number(today.slice(8)) < 3) return 0;
  const month = addDays(firstOfMonth(today), -1).slice(0, 7);
  let count = 0;
  const lines = await spentOver(deps.db, monthOf(month), null);
  for (const [payerId, own] of Map.groupBy(lines, (line) => line.payerId)) {
    const total = totalOf(own);
    const each = own.length > 1 ? own.map((one) => `${one.name}\u202f: ${inWords(one)}.`) : [];
    count += await inTx(deps.db, async (tx) => {
      const { rows } = await sql`insert into meal_notice (person_id, about, notified_at)
        values (${payerId}, ${`month ${month}`}, ${at}) on conflict do nothing
        returning about`.execute(tx);
      if (rows.length === 0) return 0;
      await announceMeal(tx, deps, [payerId], {
        title: `Vos repas de ${formatMonth(`${month}-01`)}`,
        body: [`${inWords(total)}.`, ...each].join(" "),
        path: linkTo(paths.meals, {}, { month }),
        at,
        alsoOutside: true,
      });
      return 1;
    });
  }
  return count;
}

/**
 * The caller's payments for meals in a calendar year, as a tagged PDF that says that it gives no tax credit
 * by itself.
 */
export async function printAttestation({ deps, caller, input }: PersonCall<{ year: number }>) {
  const at = deps.now();
  const period = { from: `${input.year}-01-01`, before: `${input.year + 1}-01-01` };
  const lines = await spentOver(deps.db, period, caller.personId);
  const total = totalOf(lines);
  const head = {
    title: `Attestation de repas payés, ${input.year}`,
    cardnumber: caller.cardnumber,
    madeAt: at,
  };
  const file = await paper(head, async (page) => {
    page.facts([
      ["Payés par", caller.name],
      ["Repas servis", String(total.meals)],
      ["Dépensé", formatMoney(total.cents)],
      ["Dont aides", formatMoney(total.aidCents)],
      ["Payé de votre argent", formatMoney(total.cents - total.aidCents)],
    ]);
    if (parisDay(at) < period.before) {
      page.paragraph("L’année n’est pas finie\u202f: ces montants changeront.");
    }
    if (lines.length === 0) page.paragraph("Aucun repas n’a été payé cette année-là.");
    else
      await page.table(
        [
          { title: "Pour", width: 183 },
          { title: "Repas servis", width: 100, right: true },
          { title: "Dépensé", width: 100, right: true },
          { title: "Dont aides", width: 100, right: true },
        ],
        lines.map((line) => [
          line.name,
          String(line.meals),
          formatMoney(line.cents),
          formatMoney(line.aidCents),
        ]),
      );
    page.paragraph(
      "Cette attestation dit les repas de cantine payés, retenues pour absence ou annulation tardive comprises. Elle n’ouvre pas à elle seule droit au crédit d’impôt pour frais de garde\u202f: les repas n’en font pas partie, même pour un enfant de moins de six ans.",
    );
  });
  return pdf(file, `attestation-repas-${input.year}.pdf`);
}
