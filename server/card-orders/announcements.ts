// Notices to a company about its orders of cards: to its owners, and to the accountants where money is
// concerned.
import { companyCan } from "#contract/companies/roles.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { sql } from "kysely";
import { plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { type CardOrderRow, quantityOf } from "./orders.ts";

interface OrderNews {
  title: string;
  /** Text that follows « Votre commande n° 12 de 8 cartes pro ». */
  what: string;
  at: Date;
  /** False for what the reader did themself: only the bell shows it. */
  outside?: boolean;
  /** Who paid: they also get the receipt. */
  payer?: { id: number; more?: string; receipt?: readonly string[] };
}

/** Announces in the transaction of the change. */
export async function announceOrder(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: CardOrderRow,
  { title, what, at, outside = false, payer }: OrderNews,
): Promise<void> {
  await announce(tx, deps, {
    about: "purchase",
    to: await peopleOf(tx, row.companyId, companyCan.decide),
    title,
    body: `Votre commande n° ${row.number} de ${plural(quantityOf(row), "carte")} pro ${what}`,
    path: linkTo(paths.cardOrders, {}, { order: row.id }),
    at,
    changed: ["cards", "card_orders", "pro_cards"],
    channels: outside ? "outside" : "portal",
    ...(payer && { payer }),
  });
}

/** Tells each bearer once their card has arrived and can be handed out. */
export async function announceBearers(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { id, at }: { id: string; at: Date },
): Promise<void> {
  const { rows: bearers } = await sql<{ id: number; company: string }>`
    select k.person_id as id, c.name as company from pro_card k join company c on c.id = k.company_id
    where k.order_id = ${id} and k.assigned_at is not null`.execute(tx);
  const company = bearers[0]?.company;
  if (company === undefined) return;
  await announce(tx, deps, {
    about: "card",
    to: bearers.map((one) => one.id),
    title: "Votre carte pro est arrivée",
    body:
      `${company} a reçu votre carte pro. Votre responsable vous la remet avec son secret de première ` +
      "connexion\u00a0: il l'active, et vous choisissez votre mot de passe.",
    path: paths.dashboard,
    at,
    changed: ["cards", "card_orders", "pro_cards"],
    channels: "outside",
  });
}
