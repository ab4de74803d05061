// The till charges a card at a partner's counter: by its QR at once, by its number once the holder said
// yes. It refuses what the wallet refuses without telling its balance, and one QR pays one sale.
import { sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { Problem, type ProblemCode } from "#contract/errors.ts";
import { discountOf, till as limits } from "#contract/till/limits.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { cardOfQr } from "#server/cards/cards.ts";
import { requireCompany } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { termsInForce } from "#server/partners/partners.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockOutgoing, outgoingCents, refuseCardState } from "#server/wallet/wallet.ts";
import { announceRequest } from "./announcements.ts";
import { paySale } from "./payment.ts";
import { expireRequests } from "./requests.ts";
import { priceOf, type SaleRow, salesWhere, toTillSale } from "./sales.ts";

export { closeCounter } from "./closings.ts";
export { takePayment } from "./payment.ts";
export { tillToDos } from "./requests.ts";

/** The counters of the caller's company that may sell (spec.md 21 and 25). */
export async function readCounters({
  deps,
  caller,
}: PersonCall<unknown>): Promise<{ items: TillCounter[] }> {
  const { companyId } = await requireCompany(deps.db, caller.personId);
  const { rows } = await sql<TillCounter>`
    select p.id, p.name, ${termsInForce(sql.ref("p.id"), deps.now())} as "discountPercent"
    from partner p where p.company_id = ${companyId} and p.frozen_at is null
    order by p.name collate "fr-x-icu"`.execute(deps.db);
  return { items: rows };
}

interface Asked {
  id: string;
  partner: string;
  amountCents: number;
  label?: string | undefined;
  token?: string | undefined;
  cardnumber?: number | undefined;
}

/**
 * Charges a card. By its QR it pays at once, unless what left the holder's wallets in 24 h then asks for
 * a code: that sale, and every sale by number, waits for the holder. The same id again answers the sale
 * that is there, with other content `idempotency_mismatch`. Amounts in cents. Refuses `till_code`,
 * `till_code_used`, `till_card`, `till_funds`, `till_limit`, `till_own`, `till_waiting`, `till_frozen`
 * (spec.md 21).
 */
export async function charge({ deps, caller, input }: PersonCall<Asked>): Promise<TillSale> {
  const { companyId } = await requireCompany(deps.db, caller.personId);
  const counter = await counterOf(deps, companyId, input.partner);
  const before = await repeated(deps.db, companyId, input);
  if (before) return before;
  if (counter.frozen) throw new Problem("till_frozen");
  const card = await cardAsked(deps, input);
  try {
    return await inTx(deps.db, (tx) =>
      sell(tx, deps, { input, counter, card, by: caller.personId }),
    );
  } catch (error) {
    // The same call, twice at once: the other one has made the sale.
    const made = await repeated(deps.db, companyId, input);
    if (made) return made;
    throw toldToCashier(error);
  }
}

interface Counter {
  id: string;
  discountPercent: number;
}

async function counterOf(
  deps: Deps,
  companyId: string,
  partner: string,
): Promise<Counter & { frozen: boolean }> {
  const { rows } = await sql<Counter & { frozen: boolean }>`
    select p.id, p.frozen_at is not null as frozen,
      ${termsInForce(sql.ref("p.id"), deps.now())} as "discountPercent"
    from partner p where p.id = ${partner} and p.company_id = ${companyId}`.execute(deps.db);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

async function repeated(db: Db, companyId: string, asked: Asked): Promise<TillSale | null> {
  const [sale] = await salesWhere(db, sql`s.id = ${asked.id}`);
  if (!sale) return null;
  if (sale.companyId !== companyId) throw new Problem("not_found");
  const same = sale.partner === asked.partner && sale.amountCents === asked.amountCents;
  if (!same) throw new Problem("idempotency_mismatch");
  return toTillSale(sale);
}

interface AskedCard {
  cardnumber: number;
  personId: number;
  /** Since when its QR is good; null where the number was typed. */
  from: Date | null;
}

async function cardAsked(deps: Deps, { token, cardnumber }: Asked): Promise<AskedCard> {
  if (token !== undefined) {
    const card = await cardOfQr(deps, token);
    if (!card) throw new Problem("till_code");
    requirePayingCard(card.state);
    await requireHolder(deps.db, card.personId);
    return card;
  }
  if (cardnumber === undefined) throw new Problem("invalid_input", { what: "carte" });
  const { rows } = await sql<{ personId: number; state: CardState }>`
    select person_id as "personId", state from card where number = ${cardnumber}`.execute(deps.db);
  const card = rows[0];
  if (!card) throw new Problem("not_found");
  requirePayingCard(card.state);
  await requireHolder(deps.db, card.personId);
  return { cardnumber, personId: card.personId, from: null };
}

function requirePayingCard(state: CardState): void {
  try {
    refuseCardState(state);
  } catch (error) {
    throw toldToCashier(error);
  }
}

async function requireHolder(db: Db, personId: number): Promise<void> {
  const { type } = await db
    .selectFrom("person")
    .select("type")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  if (type !== 1) throw new Problem("till_own");
}

const cashierWords: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = {
  insufficient_funds: "till_funds",
  wallet_frozen: "till_card",
  card_suspended: "till_card",
  card_opposed: "till_card",
  card_state: "till_card",
  limit_day: "till_limit",
  limit_week: "till_limit",
  limit_place: "till_limit",
};

/** What a wallet or a card refuses, as a stranger behind a counter may know it. */
function toldToCashier(error: unknown): unknown {
  const code = error instanceof Problem ? cashierWords[error.code] : undefined;
  return code ? new Problem(code) : error;
}

interface Selling {
  input: Asked;
  counter: Counter;
  card: AskedCard;
  by: number;
}

async function sell(tx: Tx, deps: Deps, { input, counter, card, by }: Selling): Promise<TillSale> {
  // A closing waits for the sales under way, and counts them.
  await sql`select from partner where id = ${counter.id} for share`.execute(tx);
  const at = deps.now();
  await sql`update till_sale set state = 'expired', ended_at = ${at} where partner_id = ${counter.id}
    and holder_id = ${card.personId} and state = 'asked' and expires_at <= ${at}`.execute(tx);
  const sale = await writeSale(tx, { ...input, counter, card, by, at });
  await lockOutgoing(tx, { personIds: [card.personId], walletIds: [] });
  const sum = priceOf(sale) + (await outgoingCents(tx, card.personId, at));
  const paysAtOnce = card.from !== null && sum < deps.config.codeFromCents;
  if (paysAtOnce) await paySale(tx, deps, sale, { payerId: card.personId, at });
  else await announceRequest(tx, deps, sale, at);
  const [made] = await salesWhere(tx, sql`s.id = ${sale.id}`);
  return toTillSale(made ?? sale);
}

/** Writes a sale that waits to be paid, its discount by the terms of the counter. */
export async function writeSale(
  tx: Tx,
  {
    id,
    amountCents,
    label,
    counter,
    card,
    by,
    at,
  }: Pick<Asked, "id" | "amountCents" | "label"> & Omit<Selling, "input"> & { at: Date },
): Promise<SaleRow> {
  const expiresAt = new Date(at.getTime() + limits.answerSeconds * 1000);
  const discountCents = discountOf(amountCents, counter.discountPercent);
  await sql`
    insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, state, amount_cents,
      discount_cents, label, code_from, asked_at, expires_at)
    values (${id}, ${counter.id}, ${by}, ${card.personId}, ${card.cardnumber}, 'asked',
      ${amountCents}, ${discountCents}, ${label ?? null}, ${card.from}, ${at}, ${expiresAt})`.execute(
    tx,
  );
  const [sale] = await salesWhere(tx, sql`s.id = ${id}`);
  if (!sale) throw new Error("a sale that was just written is not there");
  return sale;
}

/** The jobs of this room. */
export function tillTasks(deps: Deps) {
  return { expire_till_requests: () => expireRequests(deps) };
}

/** When they run by themselves (UTC). */
export const tillRoutines = [{ task: "expire_till_requests", cron: "* * * * *" }] as const;
