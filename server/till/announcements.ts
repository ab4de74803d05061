// Announcements of the till: to the holder who must answer, to the payer, and to the open screens of the
// counter.
import { peopleOf } from "#server/companies/companies.ts";
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney, ofName, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import { till as limits } from "#contract/till/limits.ts";
import { last4 } from "#server/cards/cards.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { announce, asSentence, publishChange } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { priceOf, type SaleRow, shownInstant } from "./sales.ts";

type MessageDeps = Pick<Deps, "send" | "config">;
const minutes = limits.answerSeconds / 60;
const purchasePath = ({ id }: Pick<SaleRow, "id">): string =>
  linkTo(paths.tillPurchase, { sale: id });

/** The holder, and the guardians who answer for a child. */
async function peopleOfSale(tx: Tx, holderId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ${holderId}::bigint as id union
    select guardian_id from current_ties() where member_id = ${holderId} and role = 'child'
    order by 1`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Asks the holder on the portal and outside it, because they stand at the counter. Refuses `till_often` for a
 * number that this company asked without success a moment ago.
 */
export async function announceRequest(
  tx: Tx,
  deps: MessageDeps,
  sale: SaleRow,
  at: Date,
): Promise<void> {
  if (sale.codeFrom === null) await requireRequestRate(tx, sale, at);
  const off =
    sale.discountCents > 0 ? `Remise de ${formatMoney(sale.discountCents)} déduite. ` : "";
  await announce(tx, deps, {
    about: "purchase",
    to: await peopleOfSale(tx, sale.holderId),
    title: `${sale.partnerName} demande ${formatMoney(priceOf(sale))}`,
    body: ({ id }) =>
      id === sale.holderId
        ? `${off}Confirmez ou refusez cet achat dans les ${minutes} minutes. Si vous n’êtes pas à la caisse, refusez-le.`
        : `${off}La carte ${ofName(sale.holder)} est demandée. Confirmez ou refusez cet achat dans les ${minutes} minutes.`,
    path: atPlace(paths.tillRequests, "tillSale", sale.id),
    channels: "outside",
    changed: ["till"],
    at,
  });
}

async function requireRequestRate(tx: Tx, sale: SaleRow, at: Date): Promise<void> {
  const { maxRequests: max, requestMinutes } = limits;
  const since = new Date(at.getTime() - requestMinutes * 60_000);
  const { count } = await query(tx).one(sql<{ count: number }>`
    select count(*)::int as count from till_sale s join partner p on p.id = s.partner_id
    where p.company_id = ${sale.companyId} and s.holder_id = ${sale.holderId}
      and s.requested_at > ${since} and s.code_from is null and s.paid_at is null
      and s.id <> ${sale.id}`);
  if (count >= max) {
    throw new Problem("till_often", { max, minutes: requestMinutes });
  }
}

/** Notifies the payer, with the receipt, and the guardians of a child. */
export async function announcePaid(
  tx: Tx,
  deps: MessageDeps,
  sale: SaleRow,
  { payerId, receipt, at }: { payerId: number; receipt: readonly string[]; at: Date },
): Promise<void> {
  const price = formatMoney(priceOf(sale));
  const saved =
    sale.discountCents > 0 ? ` La remise de ${formatMoney(sale.discountCents)} est déduite.` : "";
  const late = sale.offline
    ? ` Achat du ${formatDateTime(sale.requestedAt)}, fait sans réseau et débité maintenant.`
    : "";
  await announce(tx, deps, {
    about: "purchase",
    to: await peopleOfSale(tx, sale.holderId),
    title: `Achat chez ${sale.partnerName}`,
    body: ({ id }) =>
      id === sale.holderId
        ? `Vous avez payé ${price}.${saved}${late}`
        : `La carte ${ofName(sale.holder)} a payé ${price}.${saved}${late}`,
    path: purchasePath(sale),
    payer: { id: payerId, receipt },
    changed: ["wallets", "till"],
    at,
  });
  await tellCounter(tx, sale);
}

/**
 * Sends the holder of a paid sale, and the guardians of a child, its receipt again: the page that shows it, in
 * the portal and outside it.
 */
export async function announceReceipt(
  tx: Tx,
  deps: MessageDeps,
  sale: SaleRow,
  at: Date,
): Promise<void> {
  await announce(tx, deps, {
    about: "purchase",
    to: await peopleOfSale(tx, sale.holderId),
    title: `Reçu d’achat, ${sale.partnerName}`,
    body: ({ id }) =>
      `${id === sale.holderId ? "Achat" : `Achat ${ofName(sale.holder)}`} du ${formatDateTime(shownInstant(sale))}, ` +
      `${formatMoney(priceOf(sale))}. Le reçu dit aussi ce qui a été rendu depuis.`,
    path: purchasePath(sale),
    channels: "outside",
    at,
  });
}

/** Announces to which wallets the money was refunded, and how many loyalty points came back with it. */
export async function announceReturn(
  tx: Tx,
  deps: MessageDeps,
  sale: SaleRow,
  { cents, to, points, at }: { cents: number; to: string; points: number; at: Date },
): Promise<void> {
  const money =
    to === "" ? "La somme venait d’une aide qui a expiré." : `L’argent est revenu\u202f: ${to}.`;
  const back = plural(points, "point est revenu aussi", "points sont revenus aussi");
  await announce(tx, deps, {
    about: "purchase",
    to: await peopleOfSale(tx, sale.holderId),
    title: `${sale.partnerName} vous a rendu ${formatMoney(cents)}`,
    body: points > 0 ? `${money} ${back}.` : money,
    path: purchasePath(sale),
    changed: ["wallets", "till"],
    at,
  });
  await tellCounter(tx, sale);
}

/**
 * Tells those who may see the company's money that two operators reversed a sale of its till, or a refund of
 * one.
 */
export async function announceReversed(
  tx: Tx,
  deps: MessageDeps,
  sale: SaleRow,
  { cents, isRefund, reason, at }: { cents: number; isRefund: boolean; reason: string; at: Date },
): Promise<void> {
  if (sale.companyId !== null) {
    await announce(tx, deps, {
      about: "purchase",
      to: await peopleOf(tx, sale.companyId, companyCan.seeMoney),
      title: isRefund
        ? `Le service clients a annulé un remboursement de ${formatMoney(cents)}`
        : `Le service clients a rendu ${formatMoney(cents)} d’un achat`,
      body:
        `Achat du ${formatDateTime(sale.paidAt ?? sale.requestedAt)} chez ${sale.partnerName}, carte …${last4(sale.cardnumber)}\u202f: ` +
        `${asSentence(reason)} ` +
        (isRefund
          ? "La somme est ajoutée à votre règlement, pas aux totaux de la caisse, et peut à nouveau être rendue."
          : "La somme est déduite de votre règlement, pas des totaux de la caisse."),
      path: linkTo(paths.till, {}, { tab: "ventes" }),
      changed: ["till"],
      at,
    });
  }
  await tellCounter(tx, sale);
}

/**
 * Tells the owners which offline charges of a colleague's till could not be made, or were removed from the
 * device.
 */
export async function announceLosses(
  tx: Tx,
  deps: MessageDeps,
  lost: { companyId: string; by: number; cashier: string; count: number; cents: number; at: Date },
): Promise<void> {
  const { companyId, by, cashier, count, cents, at } = lost;
  const owners = await peopleOf(tx, companyId, companyCan.decide);
  await announce(tx, deps, {
    about: "purchase",
    to: owners.filter((id) => id !== by),
    title: `${plural(count, "achat")} hors connexion non ${count > 1 ? "débités" : "débité"}`,
    body: `${formatMoney(cents)} encaissés sans réseau par ${cashier} ne sont pas débités. Le motif de chaque achat est dans Caisse, Journée.`,
    path: linkTo(paths.till, {}, { tab: "journee" }),
    changed: ["till"],
    at,
  });
}

/** Tells the open screens of the company's people to read the till again. */
export async function tellCounter(
  tx: Tx,
  { companyId }: Pick<SaleRow, "companyId">,
): Promise<void> {
  if (companyId !== null) await publishChange(tx, await peopleOf(tx, companyId), "till");
}
