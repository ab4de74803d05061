// Texts of the notices when a top-up changes state. Payer and owner of the wallet may be two persons, a
// guardian and a child: the wording of the wallet, the payer or the card depends on the reader.
import { formatMoney, ofName } from "#contract/french.ts";
import type { TopUpState } from "#contract/payments/rows.ts";
import type { CreditedTopUp } from "./postings.ts";

/** A sentence that depends on the reader. */
type Sentence = (reader: { id: number }) => string;

interface News {
  title: string;
  body: Sentence;
  /** Stored with the top-up, the same for all readers: why it failed. */
  reason?: string;
}

export const expiredReason =
  "Le délai de paiement est dépassé. Rien n'a été débité\u202f: vous pouvez recommencer.";

type Paying = Pick<
  CreditedTopUp,
  "order" | "origin" | "ownerId" | "ownerName" | "payerId" | "payerName"
>;

const giver = "la personne qui les avait offerts";

/** The payer who was refunded, in a reason that several people read. */
const anyPayer = (origin: CreditedTopUp["origin"]): string =>
  origin === "link" ? giver : "la carte bancaire qui a payé";

function namesFor({ origin, ownerId, ownerName, payerId, payerName }: Paying, reader: number) {
  const isOwner = reader === ownerId;
  const isPayer = reader === payerId;
  const others = isPayer ? "votre carte bancaire" : `la carte bancaire ${ofName(payerName)}`;
  return {
    wallet: isOwner ? "votre cagnotte" : `la cagnotte ${ofName(ownerName)}`,
    /** Whose card pays, or is refunded, in words for the wallet's own people. */
    payer: origin === "link" ? giver : others,
    by: isPayer || origin === "link" ? "" : ` par ${payerName}`,
    /** Shown only where it is not one's own payment for one's own wallet. */
    into: !isOwner
      ? ` pour la cagnotte ${ofName(ownerName)}`
      : isPayer
        ? ""
        : " pour votre cagnotte",
  };
}

/** The news of a partial refund, in cents, and of the debt that it leaves; the state stays. */
export function partlyRefunded(
  paying: Paying,
  { amountCents, owedCents }: { amountCents: number; owedCents: number },
): Required<Pick<News, "title" | "body" | "reason">> {
  const { order, origin } = paying;
  const amount = formatMoney(amountCents);
  const what = order
    ? `${amount} du paiement de «\u00a0${order.label}\u00a0» ont été rendus`
    : `${amount} de cette recharge ont été rendus`;
  return {
    title: order ? "Paiement remboursé en partie" : "Recharge remboursée en partie",
    body: withOwed(({ id }) => `${what} à ${namesFor(paying, id).payer}.`, owedCents),
    reason: `${what} à ${anyPayer(origin)}.`,
  };
}

/** The news of a dispute that was won; `backCents` of what the wallet had lost are credited again. */
export function reinstatedNews(paying: Paying, backCents: number): News {
  const { order } = paying;
  const what = order ? `du paiement de «\u00a0${order.label}\u00a0»` : "de cette recharge";
  return {
    title: "Litige terminé",
    body: ({ id }) => {
      const { into, wallet } = namesFor(paying, id);
      const back =
        backCents > 0 ? ` ${formatMoney(backCents)} sont de nouveau dans ${wallet}.` : "";
      return `La banque a rendu l'argent ${what}${into}\u202f: rien n'est dû.${back}`;
    },
  };
}

/** The news of money received for an order that could not take it; `why` is a refusal's sentence. */
export function unfulfilledNews(
  paying: Paying,
  {
    label,
    amountCents,
    holdIds,
    why,
  }: { label: string; amountCents: number; holdIds: number[]; why: string | null },
): Required<News> {
  const because = why === null ? "" : ` ${why}`;
  const freed = holdIds.length > 0 ? " Ce qui y était mis de côté est de nouveau disponible." : "";
  const sentence = (whose: string, by: string, wallet: string) =>
    `${whose} paiement de ${formatMoney(amountCents)}${by} pour «\u00a0${label}\u00a0» est arrivé, mais la ` +
    `commande n'a pas pu être honorée.${because} L'argent est dans ${wallet}.${freed}`;
  return {
    title: "Commande non réglée",
    body: ({ id }) => {
      const { by, wallet } = namesFor(paying, id);
      return sentence(by === "" ? "Votre" : "Le", by, wallet);
    },
    reason: sentence("Le", "", "la cagnotte"),
  };
}

/**
 * The news of a state, null for those that need none; `owedCents` were spent before the money was taken back.
 */
export function newsOf(
  paying: Paying,
  state: TopUpState,
  { amountCents, owedCents = 0 }: { amountCents: number; owedCents?: number | undefined },
): News | null {
  const amount = formatMoney(amountCents);
  const news = paying.order
    ? orderNews(paying, paying.order.label, state, amount)
    : topUpNews(paying, state, amount);
  return news && { ...news, body: withOwed(news.body, owedCents) };
}

/** Adds the debt: money that was spent before it was taken back. */
function withOwed(body: Sentence, owedCents: number): Sentence {
  if (owedCents === 0) return body;
  const owed =
    `${formatMoney(owedCents)} en étaient déjà dépensés\u202f: cette somme est due, et se règle ` +
    "auprès du service clients.";
  return (reader) => `${body(reader)} ${owed}`;
}

/** Why a disputed payment no longer concerns its wallet: an operator unfroze it. */
export const releasedReason =
  "Le paiement a été contesté auprès de la banque. La cagnotte est débloquée.";

function orderNews(paying: Paying, label: string, state: TopUpState, amount: string): News | null {
  switch (state) {
    case "initiated":
    case "authorized":
    case "credited":
      return null;
    case "declined":
      return {
        title: "Paiement refusé",
        body: ({ id }) =>
          `Le paiement de ${amount}${namesFor(paying, id).by} pour «\u00a0${label}\u00a0» a été refusé. Rien n'a été débité.`,
        reason: "La banque a refusé le paiement. Rien n'a été débité.",
      };
    case "review":
      return {
        title: "Paiement à vérifier",
        body: () =>
          `Le paiement de «\u00a0${label}\u00a0» doit être vérifié. Nous vous dirons la suite.`,
        reason: "Le montant payé n'est pas celui demandé. Nous vérifions et vous dirons la suite.",
      };
    case "refunded":
      return {
        title: "Paiement remboursé",
        body: ({ id }) =>
          `${amount} payés pour «\u00a0${label}\u00a0» ont été rendus à ${namesFor(paying, id).payer}.`,
        reason: "Le paiement a été remboursé.",
      };
    case "disputed":
      return {
        title: "Paiement contesté",
        body: ({ id }) =>
          `Le paiement de «\u00a0${label}\u00a0» est contesté. ${blocked(namesFor(paying, id).wallet)}`,
        reason: "Le paiement est contesté auprès de la banque. La cagnotte est bloquée.",
      };
  }
}

function topUpNews(paying: Paying, state: TopUpState, amount: string): News | null {
  switch (state) {
    case "initiated":
    case "authorized":
      return null;
    case "credited":
      return {
        title: "Recharge créditée",
        body: ({ id }) => {
          const { wallet, by } = namesFor(paying, id);
          return `${amount} ont rejoint ${wallet}${by && `, payés${by}`}.`;
        },
      };
    case "declined":
      return {
        title: "Recharge refusée",
        body: ({ id }) => `${paymentOf(paying, amount, id)} a été refusé. Rien n'a été débité.`,
        reason: "La banque a refusé le paiement. Rien n'a été débité.",
      };
    case "review":
      return {
        title: "Recharge à vérifier",
        body: ({ id }) =>
          `${paymentOf(paying, amount, id)} doit être vérifié. Nous vous dirons la suite.`,
        reason: "Le montant payé n'est pas celui demandé. Nous vérifions et vous dirons la suite.",
      };
    case "refunded":
      return {
        title: "Recharge remboursée",
        body: ({ id }) => {
          const { payer, into } = namesFor(paying, id);
          return `${amount}${into && ` payés${into}`} ont été rendus à ${payer}.`;
        },
        reason: `L'argent a été rendu à ${anyPayer(paying.origin)}.`,
      };
    case "disputed":
      return {
        title: "Paiement contesté",
        body: ({ id }) =>
          `La recharge de ${amount} est contestée. ${blocked(namesFor(paying, id).wallet)}`,
        reason: "Le paiement est contesté auprès de la banque. La cagnotte est bloquée.",
      };
  }
}

function paymentOf(paying: Paying, amount: string, reader: number): string {
  const { by, into } = namesFor(paying, reader);
  return `Le paiement de ${amount}${by}${into}`;
}

const blocked = (wallet: string): string =>
  `${wallet.charAt(0).toUpperCase()}${wallet.slice(1)} est bloquée le temps du litige.`;
