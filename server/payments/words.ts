// What people are told when a top-up changes state.
import { formatMoney } from "#contract/french.ts";
import type { TopUpState } from "#contract/payments/rows.ts";
import type { CreditedTopUp } from "./postings.ts";

interface Told {
  title: string;
  body: string;
}
interface News extends Told {
  /** Kept with the top-up: why it did not end as hoped. */
  reason?: string;
}

export const expiredReason =
  "Le délai de paiement est dépassé. Rien n'a été débité\u202f: vous pouvez recommencer.";

type Paying = Pick<CreditedTopUp, "order" | "origin">;

/** Whose card is paid back, as the wallet's own people know it. */
const payerOf = (origin: CreditedTopUp["origin"]): string =>
  origin === "link" ? "la personne qui les avait offerts" : "votre carte bancaire";

/** The news of a part given back, in cents; the state stays. */
export function partlyRefunded({ order, origin }: Paying, amountCents: number) {
  const amount = formatMoney(amountCents);
  return {
    title: order ? "Paiement remboursé en partie" : "Recharge remboursée en partie",
    body: order
      ? `${amount} du paiement de «\u00a0${order.label}\u00a0» ont été rendus à votre carte bancaire.`
      : `${amount} de cette recharge ont été rendus à ${payerOf(origin)}.`,
  };
}

/** The news of money that came for an order which could not take it; `why` is a refusal's sentence. */
export function keptNews(
  label: string,
  { amountCents, holdIds, why }: { amountCents: number; holdIds: number[]; why: string | null },
): Told {
  const because = why === null ? "" : ` ${why}`;
  const freed = holdIds.length > 0 ? " Ce qui y était mis de côté est de nouveau disponible." : "";
  return {
    title: "Commande non réglée",
    body:
      `Votre paiement de ${formatMoney(amountCents)} pour «\u00a0${label}\u00a0» est arrivé, mais la commande ` +
      `n'a pas pu être honorée.${because} L'argent est dans votre cagnotte.${freed}`,
  };
}

/** The news of a state, null for those that need none. */
export function newsOf(paying: Paying, state: TopUpState, amountCents: number): News | null {
  const { order, origin } = paying;
  const amount = formatMoney(amountCents);
  return order ? orderNews(order.label, state, amount) : topUpNews(state, amount, payerOf(origin));
}

function orderNews(label: string, state: TopUpState, amount: string): News | null {
  switch (state) {
    case "initiated":
    case "authorized":
    case "credited":
      return null;
    case "declined":
      return {
        title: "Paiement refusé",
        body: `Le paiement de ${amount} pour «\u00a0${label}\u00a0» a été refusé. Rien n'a été débité.`,
        reason: "La banque a refusé le paiement. Rien n'a été débité.",
      };
    case "review":
      return {
        title: "Paiement à vérifier",
        body: `Le paiement de «\u00a0${label}\u00a0» doit être vérifié. Nous vous dirons la suite.`,
        reason: "Le montant payé n'est pas celui demandé. Nous vérifions et vous dirons la suite.",
      };
    case "refunded":
      return {
        title: "Paiement remboursé",
        body: `${amount} payés pour «\u00a0${label}\u00a0» ont été rendus à votre carte bancaire.`,
        reason: "Le paiement vous a été remboursé.",
      };
    case "disputed":
      return {
        title: "Paiement contesté",
        body: `Le paiement de «\u00a0${label}\u00a0» est contesté. La cagnotte est bloquée le temps du litige.`,
        reason: "Le paiement est contesté auprès de la banque. La cagnotte est bloquée.",
      };
  }
}

function topUpNews(state: TopUpState, amount: string, payer: string): News | null {
  switch (state) {
    case "initiated":
    case "authorized":
      return null;
    case "credited":
      return { title: "Recharge créditée", body: `${amount} ont rejoint votre cagnotte.` };
    case "declined":
      return {
        title: "Recharge refusée",
        body: `Le paiement de ${amount} a été refusé. Rien n'a été débité.`,
        reason: "La banque a refusé le paiement. Rien n'a été débité.",
      };
    case "review":
      return {
        title: "Recharge à vérifier",
        body: `Le paiement de ${amount} doit être vérifié. Nous vous dirons la suite.`,
        reason: "Le montant payé n'est pas celui demandé. Nous vérifions et vous dirons la suite.",
      };
    case "refunded":
      return {
        title: "Recharge remboursée",
        body: `${amount} ont été rendus à ${payer}.`,
        reason: `L'argent a été rendu à ${payer}.`,
      };
    case "disputed":
      return {
        title: "Paiement contesté",
        body: `La recharge de ${amount} est contestée. La cagnotte est bloquée le temps du litige.`,
        reason: "Le paiement est contesté auprès de la banque. La cagnotte est bloquée.",
      };
  }
}
