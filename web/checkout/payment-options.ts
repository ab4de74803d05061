// The ways in which a purchase can be paid, and the one that is proposed before anybody chooses.
import { formatMoney } from "#contract/french.ts";
import { payments } from "#contract/limits.ts";
import { fictitiousWords } from "#web/app/shared/fictitious.ts";
import type { Proof } from "#web/app/transport/code-request.ts";
import type { Paying } from "./use-pay.ts";
import {
  type BalancesOf,
  limitWords,
  type Purchase,
  type WalletBalance,
} from "./wallet-balances.ts";

/** A part of the price, and what pays it. */
export interface PaymentShare {
  /** The value of the option that pays it. */
  value: string;
  icon: "wallet" | "card";
  label: string;
  /** French sentence: what remains, or how the part is divided. */
  hint: string;
  amountCents: number;
}

export interface PaymentOption {
  /** Unique among the options of a purchase. */
  value: string;
  label: string;
  hint: string;
  shares: readonly PaymentShare[];
  /** What a bank card pays beside wallets, in cents; 0 where it pays nothing or the whole. */
  cardCents: number;
  /** Whose wallet pays; null for one's own, or for several. */
  child: WalletBalance["child"];
  request: Omit<Paying, keyof Proof>;
}

/** What cannot pay, and why. */
export interface ClosedOption {
  value: string;
  label: string;
  why: string;
  /** The limits of its holder are in the way: a guardian may change them. */
  limited: boolean;
  child: WalletBalance["child"];
}

export interface PaymentOptions {
  options: readonly PaymentOption[];
  closed: readonly ClosedOption[];
  /** The value that is proposed; null where nothing can pay. */
  first: string | null;
}

export type Provider = "none" | "sandbox" | "stripe";

const byCard = "card";
const eachOwn = "each";

/** Every way to pay a purchase, those for several people by their own wallets first. */
export function paymentOptions(
  balancesOf: BalancesOf,
  purchase: Purchase,
  provider: Provider,
): PaymentOptions {
  const { totalCents } = purchase;
  const balances = balancesOf(totalCents);
  const able = balances.filter(({ canPay, limited }) => canPay && !limited);
  const fictitious = provider === "sandbox" ? ` ${fictitiousWords}` : "";
  const card = cardOption(balances, { totalCents, provider, beside: able.length > 0, fictitious });
  const shared = sharedOption(balancesOf, purchase, provider);
  const proposed = firstChoice(balances, {
    idgroup: purchase.idgroup,
    cardnumbers: cardnumbersOf(purchase),
  });
  const options = [
    ...(shared ? [shared] : []),
    ...able.map((balance) => walletOption(balance, { totalCents, fictitious })),
    ...(card && "request" in card ? [card] : []),
  ];
  return {
    options,
    closed: [
      ...balances
        .filter(({ canPay, limited }) => !canPay || limited)
        .map(({ wallet: { objectID: value }, label, hint: why, limited, child }) => ({
          value,
          label,
          why,
          limited,
          child,
        })),
      ...(card && "why" in card ? [card] : []),
    ],
    first: shared?.value ?? proposed?.wallet.objectID ?? options.find(isCard)?.value ?? null,
  };
}

/**
 * The option that was picked, else the one that is proposed; null where nothing is, and where what was picked can no
 * longer pay: nothing else takes its place unseen.
 */
export const chosenOption = (
  { options, first }: PaymentOptions,
  picked: string | null,
): PaymentOption | null => options.find(({ value }) => value === (picked ?? first)) ?? null;

const isCard = ({ value }: PaymentOption): boolean => value === byCard;

function walletOption(
  { wallet, label, hint, child, cardCents }: WalletBalance,
  { totalCents, fictitious }: { totalCents: number; fictitious: string },
): PaymentOption {
  const { objectID } = wallet;
  const words = cardCents > 0 ? hint + fictitious : hint;
  return {
    value: objectID,
    label,
    hint: words,
    shares: [{ value: objectID, icon: "wallet", label, hint: words, amountCents: totalCents }],
    cardCents,
    child,
    request:
      cardCents > 0 ? { method: "both", objectID, cardCents } : { method: "wallet", objectID },
  };
}

/**
 * A bank card pays the whole. Its money comes into the main wallet of the current card, and leaves it for the
 * purchase; another person's wallet never takes its place. Null where no card is taken for this price.
 */
function cardOption(
  balances: readonly WalletBalance[],
  {
    totalCents,
    provider,
    beside,
    fictitious,
  }: { totalCents: number; provider: Provider; beside: boolean; fictitious: string },
): PaymentOption | ClosedOption | null {
  const through = balances.find(({ wallet }) => wallet.main);
  if (provider === "none" || totalCents < payments.orderMinCents || !through) return null;
  const label = "Carte bancaire";
  const why = whyNoCard(through, totalCents);
  if (why !== null) return { value: byCard, label, why, limited: false, child: null };
  const page = `ur la page sécurisée de notre prestataire.${fictitious}`;
  return {
    value: byCard,
    label,
    hint: beside ? `La somme entière, s${page}` : `S${page}`,
    shares: [{ value: byCard, icon: "card", label, hint: `S${page}`, amountCents: totalCents }],
    cardCents: 0,
    child: null,
    request: { method: "provider", objectID: through.wallet.objectID },
  };
}

/** Why a bank card cannot pay through this wallet; null where it can. */
function whyNoCard({ wallet, child }: WalletBalance, totalCents: number): string | null {
  if (wallet.frozen) return "Passe par la cagnotte principale, qui est bloquée.";
  const leftCents = wallet.spendLimitCents;
  return leftCents !== null && leftCents < totalCents ? limitWords({ child }, leftCents) : null;
}

/**
 * Each child's own wallet of the group pays the part of that child, where it suffices; one's own money, or
 * what would be proposed for it, the rest. Null unless several wallets would pay.
 */
function sharedOption(
  balancesOf: BalancesOf,
  { parts = [], ...purchase }: Purchase,
  provider: Provider,
): PaymentOption | null {
  const paid = parts.flatMap(({ cardnumber, totalCents }) => {
    const balance = balancesOf(totalCents).find(
      (one) =>
        one.child?.cardnumber === cardnumber &&
        one.canPay &&
        !one.limited &&
        paysAlone(one, purchase.idgroup),
    );
    return balance && totalCents > 0 ? [{ cardnumber, totalCents, balance }] : [];
  });
  const restCents = paid.reduce((left, one) => left - one.totalCents, purchase.totalCents);
  const [first] = paid;
  if (!first || (paid.length === 1 && restCents === 0)) return null;
  const ownWallets = paid.map(({ balance }) => balance.wallet.objectID);
  const shares = paid.map(({ balance: { wallet, label, hint }, totalCents }) => ({
    value: wallet.objectID,
    icon: "wallet" as const,
    label,
    hint,
    amountCents: totalCents,
  }));
  const option = (all: readonly PaymentShare[]) => ({
    value: eachOwn,
    label: "La cagnotte de chacun",
    hint: all
      .map(({ label, amountCents }) => `${label}\u202f: ${formatMoney(amountCents)}`)
      .join("\u00a0; "),
    shares: all,
    child: null,
  });
  if (restCents === 0) {
    // It pays nothing, and is the wallet of whatever is free.
    const payer = balancesOf(0).find(({ wallet }) => wallet.main) ?? first.balance;
    const { objectID } = payer.wallet;
    return { ...option(shares), cardCents: 0, request: { method: "wallet", objectID, ownWallets } };
  }
  const cardnumbers = cardnumbersOf({ ...purchase, parts }).filter((one) =>
    paid.every(({ cardnumber }) => cardnumber !== one),
  );
  const rest = paymentOptions(
    balancesOf,
    { ...purchase, cardnumbers, totalCents: restCents },
    provider,
  );
  const paying = rest.options.find(({ value }) => value === rest.first);
  if (!paying) return null;
  return {
    ...option([...shares, ...paying.shares]),
    cardCents: isCard(paying) ? restCents : paying.cardCents,
    request: { ...paying.request, ownWallets },
  };
}

/** The cards of those for whom something is to be paid. */
const cardnumbersOf = ({ cardnumbers, parts = [] }: Omit<Purchase, "totalCents">) => {
  const free = parts.filter(({ totalCents }) => totalCents === 0);
  return cardnumbers.filter((one) => free.every(({ cardnumber }) => cardnumber !== one));
};

/** Whether a wallet is of the group of the sale, and needs neither the main wallet nor a bank card. */
const paysAlone = (
  { wallet, mainCents, cardCents }: WalletBalance,
  idgroup: number | null,
): boolean => !wallet.main && wallet.idgroup === idgroup && mainCents + cardCents === 0;

/**
 * The wallet that pays unless something else is chosen. For what is one child's alone: its wallet of the very group.
 * Else one's own money, of the group first, before a bank card completes it. A child's other money pays for that
 * child only, where one's own does not suffice; never for an adult, nor for another child.
 */
function firstChoice(
  balances: readonly WalletBalance[],
  { cardnumbers, idgroup }: Pick<Purchase, "cardnumbers" | "idgroup">,
): WalletBalance | undefined {
  const able = balances.filter(({ canPay, limited }) => canPay && !limited);
  const own = able.filter(({ child }) => !child);
  const childs = able.filter(
    ({ child }) => child && cardnumbers.every((one) => one === child.cardnumber),
  );
  const isWhole = ({ cardCents }: WalletBalance) => cardCents === 0;
  const isOfGroup = (balance: WalletBalance) => paysAlone(balance, idgroup);
  // Where none suffices, the one that leaves least to the bank card.
  const least = own.toSorted((one, other) => one.cardCents - other.cardCents)[0];
  return (
    childs.find(isOfGroup) ??
    own.find(isOfGroup) ??
    own.find(isWhole) ??
    childs.find(isWhole) ??
    least
  );
}
