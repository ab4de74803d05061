// A grant as a sale of the checkout: paid up front with the company's own money, then on the cards.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Quote, Sale } from "#server/checkout/checkout.ts";
import { companyOutgoingCents, holdRoles } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requireRight } from "#server/http/rights.ts";
import { cardWords, giveGrant, grantableCards, requireDraft, requireOpen } from "./fulfilment.ts";
import { type GrantRow, lockGrant, lockGrantOf } from "./grant-rows.ts";

/** The price of a draft is the sum that it grants. Refuses what keeps it from being granted. */
async function quoteOf(
  tx: Tx,
  row: GrantRow,
  { at, late }: { at: Date; late: boolean },
): Promise<Quote> {
  requireDraft(row);
  if (late) await requireStillGrantable(tx, row, at);
  else {
    await requireOpen(tx, row, at);
    await requireCards(tx, row);
  }
  const { cards } = await query(tx).one(sql<{ cards: number }>`
    select count(*)::int as cards from company_grant_card where grant_id = ${row.id}`);
  const label = `Dotation n° ${row.number}, ${plural(cards, "carte")}`;
  return { totalCents: row.totalCents, label, groupId: null };
}

/** The money has arrived: the grant is made unless nobody could spend it any more. */
export async function requireStillGrantable(tx: Tx, row: GrantRow, at: Date): Promise<void> {
  if (row.expiresOn < parisDay(at)) throw new Problem("grant_day", { months: limits.monthsAhead });
  const found = await query(tx).maybeOne(sql<{ cardnumber: number; name: string }>`
    select card.number as cardnumber, p.name from company_grant_card l join person p on p.id = l.person_id
    cross join lateral current_card(p.id) card
    where l.grant_id = ${row.id} and p.disabled_at is not null limit 1`);
  if (found) throw new Problem("grant_card", { card: namedCard(found) });
}

/** Refuses `grant_card` for the first card that may not be granted money any more. */
export async function requireCards(tx: Tx, row: GrantRow): Promise<void> {
  const able = new Set((await grantableCards(tx, row.companyId)).map(({ personId }) => personId));
  const { rows } = await sql<{ personId: number; cardnumber: number; name: string }>`
    select l.person_id, card.number as cardnumber, p.name
    from company_grant_card l join person p on p.id = l.person_id
    cross join lateral current_card(l.person_id) card
    where l.grant_id = ${row.id} order by card.number`.execute(tx);
  const wrong = rows.find(({ personId }) => !able.has(personId));
  if (wrong) throw new Problem("grant_card", { card: namedCard(wrong) });
}

/** « 2000 0001 23, Ana Roux »: the line of the draft, with the names that the company reads. */
const namedCard = ({ cardnumber, name }: { cardnumber: number; name: string }): string =>
  `${cardWords(cardnumber)}, ${name},`;

export const grantSale: Sale<GrantRow> = {
  kind: "grants",
  account: "company_grants",
  companyCents: (tx, { companyId }, at) => companyOutgoingCents(tx, companyId, at),
  // Aid that somebody received is not passed on, with a later expiry.
  ownMoney: true,
  admit: (tx, caller) => holdRoles(tx, { caller, right: "decide" }),
  lock: (tx, id, caller) =>
    caller === null
      ? lockGrant(tx, id)
      : lockGrantOf(tx, requireRight(caller.company, "decide").companyId, id),
  isPaid: ({ state }) => state === "granted",
  quote: (tx, row, moment) => quoteOf(tx, row, moment),
  returnPath: ({ id }) => linkTo(paths.grants, {}, { grant: id }),
  fulfil: (tx, deps, row, { sold, receipt }) => giveGrant(tx, deps, row, { ...sold, receipt }),
};
