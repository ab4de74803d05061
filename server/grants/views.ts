// A company's reads of its grants: by grant, by card, and as a file. It sees amounts, never where a bearer
// spends.
import { type RawBuilder, sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDate, formatMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type {
  GrantCardSums,
  GrantedCard,
  grants as rows,
  GrantSummary,
  GrantView,
} from "#contract/grants/rows.ts";
import { lists } from "#contract/limits.ts";
import type { HomeGrants } from "#contract/portal/professional-home.ts";
import type { Membership } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv } from "#server/http/document.ts";
import type { Call } from "#server/http/serve.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";
import type { CompanyHome, CompanyHomePart } from "#server/portal/portal.ts";
import type { Deps } from "#server/process/deps.ts";
import { takeBackUntil } from "./fulfilment.ts";
import { grantColumns, type GrantRow, owedCents as owed } from "./grant-rows.ts";

/** SQL: of a card `l` of a granted `t`: what is left, what was returned, and so what is spent. */
const sumsOfCard = sql`
  cross join lateral (select coalesce((select balance from ledger_account where id = l.account_id), 0)
    as left_cents) stays
  cross join lateral (select coalesce(sum(r.amount_cents), 0)::bigint as back_cents
    from company_grant_return r where r.grant_id = l.grant_id and r.person_id = l.person_id) came`;
const spent = sql`case when t.state = 'granted'
  then l.amount_cents - left_cents - back_cents else 0 end`;

interface ListedRow extends GrantRow {
  topUp: string | null;
  paymentFailed: string | null;
  cards: number;
  spentCents: number;
  leftCents: number;
  returnedCents: number;
}

async function grantsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<ListedRow[]> {
  const { rows: found } = await sql<ListedRow>`
    select ${grantColumns}, of_cards.*, payment.open_id as top_up, payment.failed as payment_failed
    from company_grant t join company c on c.id = t.company_id
    join acceptance_group g on g.id = t.group_id ${orderPaymentSql("grants", "t", "created_at")}
    cross join lateral (
      select count(*)::int as cards, sum(${spent})::bigint as spent_cents,
        sum(left_cents)::bigint as left_cents, sum(back_cents)::bigint as returned_cents
      from company_grant_card l ${sumsOfCard} where l.grant_id = t.id) of_cards
    where ${condition} order by t.number desc limit ${limit}`.execute(db);
  return found;
}

const toSummary = (row: ListedRow): GrantSummary => ({
  id: row.id,
  number: row.number,
  state: row.state,
  label: row.label,
  groupName: row.groupName,
  expiresOn: row.expiresOn,
  cards: row.cards,
  totalCents: row.totalCents,
  owedCents: row.owedCents,
  spentCents: row.spentCents,
  leftCents: row.leftCents,
  returnedCents: row.returnedCents,
  createdAt: row.createdAt.toISOString(),
  grantedAt: row.grantedAt?.toISOString() ?? null,
});

/** The grants of the caller's company, the newest first. */
export async function listGrants({ deps, company, input }: Call<typeof rows.list>) {
  const { companyId, roles } = company;
  const limit = input.limit ?? lists.defaultLimit;
  const before = input.before ?? Number.MAX_SAFE_INTEGER;
  const found = await grantsWhere(
    deps.db,
    sql`t.company_id = ${companyId} and t.number < ${before}`,
    limit + 1,
  );
  const { items, next } = pageOf(found, limit, ({ number }) => number);
  return { items: items.map(toSummary), next, canDecide: companyCan.decide(roles) };
}

/** One grant of the caller's company. */
export const readGrant = ({ deps, company, input }: Call<typeof rows.read>): Promise<GrantView> =>
  grantOf(deps, company, input.grant);

/** A grant as the caller's company sees it. Refuses `not_found`. */
export async function grantOf(
  { db, now, config }: Pick<Deps, "db" | "now" | "config">,
  { companyId, roles }: Membership,
  id: string,
): Promise<GrantView> {
  const [row] = await grantsWhere(db, sql`t.id = ${id} and t.company_id = ${companyId}`, 1);
  if (!row) throw new Problem("not_found");
  const until = row.grantedAt && takeBackUntil(row.grantedAt);
  const canDecide = companyCan.decide(roles);
  const open = until !== null && until > now() && row.leftCents > 0;
  return {
    ...toSummary(row),
    idgroup: row.groupId,
    rule: row.rule,
    takeBackUntil: canDecide && open ? until.toISOString() : null,
    canDecide,
    byTransfer:
      row.state !== "draft" || !canDecide || !config.issuer
        ? "no"
        : (await creditLeft(db, companyId)) >= row.totalCents
          ? "credit"
          : "waits",
    transfer: transferOf(row, config.issuer),
    topUp: row.topUp,
    paymentFailed: row.state === "draft" ? row.paymentFailed : null,
    lines: await linesOf(db, id),
  };
}

/** The bank account for the expected transfer, and the day by which it is due. */
function transferOf(row: GrantRow, issuer: Deps["config"]["issuer"]): GrantView["transfer"] {
  const { reference, owedCents, grantedAt, expiresOn } = row;
  if (reference === null || owedCents === 0 || !issuer) return null;
  const until = grantedAt ? addDays(parisDay(grantedAt), limits.transferDays) : expiresOn;
  const { name: holder, iban, bic } = issuer;
  return { holder, iban, bic, reference, until };
}

/** How much a company may still be granted before it pays, in cents. */
export async function creditLeft(db: Db, companyId: string): Promise<number> {
  const { cents } = await query(db).one(sql<{ cents: number }>`
    select greatest(c.grant_credit_cents - coalesce((select sum(${owed}) from company_grant t
        where t.company_id = c.id and t.state = 'granted'), 0), 0)::bigint as cents
    from company c where c.id = ${companyId}`);
  return cents;
}

/**
 * Grants on a company's home page, for roles that see its money: the granted money left, and the transfers to
 * make.
 */
export async function grantsHome({
  db,
  companyId,
  roles,
  at,
}: CompanyHome): Promise<CompanyHomePart> {
  if (!companyCan.seeMoney(roles)) return {};
  const [left, { count, cents, first }] = await Promise.all([
    grantsLeft(db, { companyId, today: parisDay(at) }),
    transfersDue(db, companyId),
  ]);
  if (first === null) return { grants: left };
  const what = formatMoney(cents);
  return { grants: left, toDos: [{ kind: "grants_due", id: first, what, count, day: null }] };
}

/** Granted money still on the company's cards, in cents; null where it granted nothing. */
async function grantsLeft(
  db: Db,
  { companyId, today }: { companyId: string; today: string },
): Promise<HomeGrants | null> {
  const soon = addDays(today, limits.soonDays);
  const sums = await query(db).one(sql<{
    granted: number;
    leftCents: number;
    soonCents: number;
    cards: number;
    nextExpiresOn: string | null;
  }>`
    select count(*)::int as granted, coalesce(sum(left_cents), 0)::bigint as left_cents,
      coalesce(sum(left_cents) filter (where t.expires_on <= ${soon}::date), 0)::bigint
        as soon_cents,
      (count(distinct l.person_id) filter (where left_cents > 0))::int as cards,
      min(t.expires_on) filter (where left_cents > 0) as next_expires_on
    from company_grant t join company_grant_card l on l.grant_id = t.id ${sumsOfCard}
    where t.company_id = ${companyId} and t.state = 'granted'`);
  if (sums.granted === 0) return null;
  const { granted: _granted, ...left } = sums;
  return left;
}

/**
 * Transfers that a company has to make for grants: their number and sum in cents, and the grant of the
 * oldest.
 */
async function transfersDue(
  db: Db,
  companyId: string,
): Promise<{ count: number; cents: number; first: string | null }> {
  return await query(db).one(sql<{ count: number; cents: number; first: string | null }>`
    select count(*)::int as count, coalesce(sum(owed), 0)::bigint as cents,
      (array_agg(id order by transfer_requested_at, number))[1] as first
    from company_grant t cross join lateral (select ${owed} as owed) due
    where company_id = ${companyId} and reference is not null and transfer_received_at is null
      and owed > 0`);
}

async function linesOf(db: Db, id: string): Promise<GrantedCard[]> {
  const { rows: lines } = await sql<GrantedCard>`
    select card.number as cardnumber, p.name, l.amount_cents,
      ${spent} as spent_cents, left_cents, back_cents as returned_cents
    from company_grant t join company_grant_card l on l.grant_id = t.id
    join person p on p.id = l.person_id cross join lateral current_card(p.id) card ${sumsOfCard}
    where t.id = ${id} order by p.name collate "fr-x-icu", card.number`.execute(db);
  return lines;
}

/** Amounts granted to each card of the company, spent, left and returned, by bearer, with the sums. */
export async function grantsByCard({ deps, company: { companyId } }: Call<typeof rows.byCard>) {
  const { db } = deps;
  const soon = addDays(parisDay(deps.now()), limits.soonDays);
  const { rows: items } = await sql<GrantCardSums>`
    select card.number as cardnumber, p.name, card.state, sums.*
    from (select l.person_id, sum(l.amount_cents)::bigint as granted_cents,
        sum(${spent})::bigint as spent_cents, sum(left_cents)::bigint as left_cents,
        sum(back_cents)::bigint as returned_cents,
        coalesce(sum(left_cents) filter (where t.expires_on <= ${soon}::date), 0)::bigint
          as soon_cents,
        min(t.expires_on) filter (where left_cents > 0) as next_expires_on
      from company_grant t join company_grant_card l on l.grant_id = t.id ${sumsOfCard}
      where t.company_id = ${companyId} and t.state = 'granted' group by l.person_id) sums
    join person p on p.id = sums.person_id cross join lateral current_card(p.id) card
    order by p.name collate "fr-x-icu", card.number limit 1000`.execute(db);
  const totals = { grantedCents: 0, spentCents: 0, leftCents: 0, returnedCents: 0, soonCents: 0 };
  for (const one of items) {
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += one[key];
  }
  return { totals, items };
}

const head = [
  "Dotation",
  "Accordée le",
  "Libellé",
  "Cagnotte",
  "À utiliser jusqu’au",
  "Carte",
  "Porteur",
  "Accordé (€)",
  "Dépensé (€)",
  "Restant (€)",
  "Rendu (€)",
];

interface FileRow extends GrantedCard {
  number: number;
  grantedAt: Date;
  label: string;
  groupName: string;
  expiresOn: string;
}

/** Every card of every grant as a table, the newest first; no cell starts a formula. */
export async function grantsCsv({ deps, company: { companyId } }: Call<typeof rows.exportCsv>) {
  const { rows: lines } = await sql<FileRow>`
    select t.number, coalesce(t.granted_at, t.created_at) as granted_at,
      t.label, g.name as group_name,
      t.expires_on, card.number as cardnumber, p.name,
      l.amount_cents, ${spent} as spent_cents, left_cents,
      back_cents as returned_cents
    from company_grant t join acceptance_group g on g.id = t.group_id
    join company_grant_card l on l.grant_id = t.id join person p on p.id = l.person_id
    cross join lateral current_card(p.id) card ${sumsOfCard}
    where t.company_id = ${companyId} and t.state = 'granted'
    order by t.number desc, p.name collate "fr-x-icu", card.number
    limit ${limits.maxLines}`.execute(deps.db);
  const body = lines.map((line) => [
    line.number,
    formatDate(line.grantedAt),
    plain(line.label),
    plain(line.groupName),
    formatDate(line.expiresOn),
    formatCardnumber(line.cardnumber),
    plain(line.name),
    decimal(line.amountCents),
    decimal(line.spentCents),
    decimal(line.leftCents),
    decimal(line.returnedCents),
  ]);
  return csv(csvOf([head, ...body]), "dotations.csv");
}
