// The data of a charge, read in one statement before its transaction: the counter and its terms, the card and
// its holder, and whether the sale exists already.
import { sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import { till as limits } from "#contract/till/limits.ts";
import type { SaleLine } from "#contract/till/lines.ts";
import { codeOfCard, codeRevoked } from "#server/cards/cards.ts";
import { prepared } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requirePersonRateLimit } from "#server/identity/identity.ts";
import { pointsInForce, termsInForce } from "#server/partners/partners.ts";
import type { Deps } from "#server/process/deps.ts";
import { requireUsableCard } from "#server/wallet/wallet.ts";
import { redactForCashier } from "./cashier-problems.ts";

export interface ChargeRequest {
  id: string;
  partner: string;
  amountCents: number;
  label?: string | undefined;
  lines?: readonly SaleLine[] | undefined;
  usePoints?: boolean | undefined;
  token?: string | undefined;
  cardnumber?: number | undefined;
}

/** The counter that sells, and its terms. */
export interface ChargeCounter {
  id: string;
  name: string;
  place: string;
  companyId: string;
  discountPercent: number;
  pointsPerEuro: number;
}

export interface ChargeCard {
  cardnumber: number;
  personId: number;
  /** The holder's name. */
  holder: string;
  /** Start of validity of its QR; null where the number was typed. */
  from: Date | null;
}

interface ChargeSnapshot {
  counter: (ChargeCounter & { frozen: boolean }) | null;
  card:
    | (ChargeCard & {
        state: CardState;
        /** Whether the selling company handed it out: its own people must pay elsewhere. */
        isOwn: boolean;
        hasWallet: boolean;
        /** The QR was issued before a suspension or an opposition. */
        isRevoked: boolean;
        /** Discount by a partnership of the two companies, in percent. */
        partnershipPercent: number;
      })
    | null;
  /** A sale with this id exists. */
  isRepeated: boolean;
}

interface FoundRow {
  counter: ChargeSnapshot["counter"];
  card: Omit<NonNullable<ChargeSnapshot["card"]>, "from"> | null;
  isRepeated: boolean;
}

/** The instants for the checks of a charge: of its code, and of the terms of the counter. */
interface Moments {
  code: Date;
  terms: Date;
  sale: Date;
}

/**
 * Counts a charge by number, known or not, because each is a guess. Refuses `too_many_requests` beyond a
 * limit.
 */
export async function countNumber(
  deps: Pick<Deps, "db" | "now">,
  personId: number,
  { token }: Pick<ChargeRequest, "token">,
): Promise<void> {
  if (token !== undefined) return;
  const { maxNumbers: max, requestMinutes } = limits;
  await requirePersonRateLimit(deps, {
    act: "till.number",
    personId,
    max,
    seconds: requestMinutes * 60,
  });
}

/** Reads the data of a charge of a company, without any check. */
export async function readCharge(
  deps: Deps,
  companyId: string,
  request: ChargeRequest,
  moments: Moments = { code: deps.now(), terms: deps.now(), sale: deps.now() },
): Promise<ChargeSnapshot> {
  const { db } = deps;
  const code =
    request.token === undefined
      ? null
      : await codeOfCard({ db, now: () => moments.code }, request.token);
  const number = request.token === undefined ? (request.cardnumber ?? null) : null;
  const { isRepeated, counter, card } = await query(db)
    .one(sql<FoundRow>`${prepared("till-request")}
    select exists (select from till_sale s where s.id = ${request.id}) as is_repeated,
      (select jsonb_build_object('id', p.id, 'name', p.name, 'companyId', p.company_id,
          'place', p.street || ', ' || p.town,
          'frozen', p.frozen_at is not null,
          'discountPercent', ${termsInForce(sql.ref("p.id"), moments.terms)},
          'pointsPerEuro', ${pointsInForce(sql.ref("p.id"), moments.terms)})
        from partner p
        where p.id = ${request.partner} and p.company_id = ${companyId}) as counter,
      (select jsonb_build_object('cardnumber', c.number, 'state', c.state, 'personId', h.id,
          'holder', h.name, 'hasWallet', exists (select from wallet w
            where w.person_id = h.id and w.group_id = 1), 'isOwn', exists (select from pro_card own
            where own.person_id = h.id and own.company_id = ${companyId}),
          'isRevoked', ${codeRevoked(sql.ref("c.object_id"), { from: code?.from ?? null, readAt: moments.sale })},
          'partnershipPercent', partnership_percent(${companyId}, h.id, ${deps.now()}))
        from card c join person h on h.id = c.person_id
        where c.number = coalesce(${number}::bigint, (select number from card
          where object_id = ${code?.objectId ?? null}::uuid))) as card`);
  return { isRepeated, counter, card: card && { ...card, from: code?.from ?? null } };
}

/**
 * The counter and the card, if both allow the sale. Refuses `not_found`, `till_frozen`, `till_code`,
 * `till_card`, `till_own`.
 */
export function requireChargeable(
  { counter, card }: ChargeSnapshot,
  { token, cardnumber }: ChargeRequest,
): { counter: ChargeCounter; card: ChargeCard } {
  if (!counter) throw new Problem("not_found");
  if (counter.frozen) throw new Problem("till_frozen");
  if (token === undefined && cardnumber === undefined) {
    throw new Problem("invalid_input", { what: "carte" });
  }
  if (!card) throw new Problem(token === undefined ? "not_found" : "till_code");
  try {
    requireUsableCard(card.state);
  } catch (error) {
    throw redactForCashier(error);
  }
  if (card.isRevoked) throw new Problem("till_code");
  if (!card.hasWallet) throw new Problem("till_card");
  if (card.isOwn) throw new Problem("till_own");
  // The better of the two discounts, never both.
  const discountPercent = Math.max(counter.discountPercent, card.partnershipPercent);
  return { counter: { ...counter, discountPercent }, card };
}
