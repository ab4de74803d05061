// The wallets that may pay a purchase, each with how it would pay, or why it cannot.
import { cardCan, type Card } from "#contract/cards/rows.ts";
import { isAccepted, splitOf, splitWithCard } from "#contract/checkout/rows.ts";
import { formatMoney } from "#contract/french.ts";
import type { TopUp } from "#contract/payments/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { type CardWallets, useReachableWallets } from "#web/wallet/reachable-wallets.ts";

export interface Purchase {
  totalCents: number;
  /** The acceptance group whose wallets pay beside the main ones; null for none. */
  idgroup: number | null;
  /** Cards that what is bought is for: their wallets are offered beside one's own. */
  cardnumbers: readonly number[];
  /** Paid with purchased money alone: aids are left out. */
  ownMoney?: boolean;
}

export interface WalletBalance {
  wallet: Wallet;
  label: string;
  /** The child whose wallet it is; null for one's own. */
  child: Pick<Card, "cardnumber" | "name"> | null;
  /** French sentence: what it would pay and what remains, or why it cannot pay. */
  hint: string;
  canPay: boolean;
  /** The limits of its holder leave less than it would pay: a guardian may lift them. */
  limited: boolean;
  /** What the main wallet of the same person pays beside it, in cents. */
  mainCents: number;
  /** What a bank card pays beside it, in cents; 0 where the wallet pays alone. */
  cardCents: number;
}

/** Means to pay beside wallets: a bank card, and money that an unfinished payment of this purchase holds. */
interface Beside {
  byCard?: boolean;
  holds?: TopUp["holds"];
}

export interface WalletBalances {
  /** Null while they load. */
  balances: readonly WalletBalance[] | null;
  problem: Error | null;
  retry: () => void;
}

/** One's own first; the server decides in the end, by the same rules. */
export function useWalletBalances(
  { totalCents, idgroup, cardnumbers, ownMoney = false }: Purchase,
  { byCard = false, holds = [] }: Beside = {},
): WalletBalances {
  const { cards, pending, problem, retry } = useReachableWallets();
  if (pending) return { balances: null, problem: null, retry };
  const offered = cards.filter(
    ({ cardnumber, card }) => card?.relation !== "child" || cardnumbers.includes(cardnumber),
  );
  const balances = offered.flatMap((owner) => {
    const wallets = (owner.wallets ?? [])
      .map((wallet) => (ownMoney ? { ...wallet, projectedCents: wallet.sendableCents } : wallet))
      .map((wallet) => withHolds(wallet, holds));
    return wallets.map((wallet) =>
      balanceOf(wallet, { ...owner, wallets }, { totalCents, idgroup, byCard }),
    );
  });
  const unread = problem ?? cards.find((one) => one.problem)?.problem ?? null;
  return { balances, problem: balances.length === 0 ? unread : null, retry };
}

/**
 * The wallet with the money that an unfinished payment of this purchase holds: paying again releases it
 * first.
 */
function withHolds(wallet: Wallet, holds: TopUp["holds"]): Wallet {
  const heldCents = holds.find(({ objectID }) => objectID === wallet.objectID)?.amountCents ?? 0;
  return { ...wallet, projectedCents: wallet.projectedCents + heldCents };
}

function balanceOf(
  wallet: Wallet,
  { card, wallets }: CardWallets,
  { totalCents, idgroup, byCard }: Pick<Purchase, "totalCents" | "idgroup"> & { byCard: boolean },
): WalletBalance {
  const child = card?.relation === "child" ? card : null;
  const label = child ? `${wallet.name}, ${child.name}` : wallet.name;
  const main = wallets?.find((one) => one.main) ?? null;
  const { walletCents, mainCents, missingCents } = splitOf(totalCents, wallet, main);
  const cannot = (hint: string, limited = false) => ({
    wallet,
    label,
    child,
    hint,
    canPay: false,
    limited,
    mainCents,
    cardCents: 0,
  });
  if (!isAccepted(wallet.idgroup, idgroup)) return cannot(`Pas pour cet achat. ${wallet.rule}`);
  if (wallet.frozen) return cannot("Bloquée le temps d’un litige.");
  if (card && !cardCan.spend(card)) return cannot("Sa carte ne peut pas payer en ce moment.");
  const limitCents = wallet.spendLimitCents;
  // One's own bank card counts in one's limits, a guardian's does not in a child's.
  const counted = (cardCents: number) => (child ? totalCents - cardCents : totalCents);
  const isLimited = (cardCents: number) => limitCents !== null && limitCents < counted(cardCents);
  const limitHint = limitWords({ child }, limitCents ?? 0);
  if (missingCents > 0) {
    const split = byCard ? splitWithCard(totalCents, wallet, main) : null;
    if (!split || split.walletCents === 0) return cannot(`Il manque ${formatMoney(missingCents)}.`);
    const limited = isLimited(split.cardCents);
    if (limited && !child) return cannot(limitHint, true);
    const parts = [
      `${formatMoney(split.walletCents)} de cette cagnotte`,
      split.mainCents > 0 ? `${formatMoney(split.mainCents)} de la cagnotte principale` : null,
      `${formatMoney(split.cardCents)} par carte bancaire`,
    ].filter((part) => part !== null);
    const hint = limited ? limitHint : `${parts.slice(0, -1).join(", ")} et ${parts.at(-1)}.`;
    const shared = `${label} et carte bancaire`;
    const { mainCents: beside, cardCents } = split;
    return {
      wallet,
      label: shared,
      child,
      hint,
      canPay: true,
      limited,
      mainCents: beside,
      cardCents,
    };
  }
  const limited = isLimited(0);
  if (limited && !child) return cannot(limitHint, true);
  const left = formatMoney(wallet.projectedCents - walletCents);
  const pays =
    mainCents === 0
      ? `Il restera ${left} sur ${formatMoney(wallet.projectedCents)}.`
      : `${formatMoney(walletCents)} de cette cagnotte, puis ${formatMoney(mainCents)} de la cagnotte principale.`;
  const hint = limited ? limitHint : pays;
  return { wallet, label, child, hint, canPay: true, limited, mainCents, cardCents: 0 };
}

/** The words for what limits leave, of a child's wallet or of one's own. */
export function limitWords({ child }: Pick<WalletBalance, "child">, leftCents: number): string {
  const whose = child ? "Ses plafonds" : "Vos plafonds";
  return leftCents === 0
    ? `${whose} n’y laissent rien dépenser pour le moment.`
    : `${whose} n’y laissent dépenser que ${formatMoney(leftCents)} pour le moment.`;
}

/**
 * What pays unless something else is chosen. For what is one child's alone: its wallet of the very group. Else one's own
 * money, of the group first, before a bank card completes it. A child's other money pays for that child only, where
 * one's own does not suffice; never for an adult, nor for another child.
 */
export function firstChoice(
  balances: readonly WalletBalance[],
  { cardnumbers, idgroup }: Pick<Purchase, "cardnumbers" | "idgroup">,
): WalletBalance | undefined {
  const able = balances.filter(({ canPay, limited }) => canPay && !limited);
  const own = able.filter(({ child }) => !child);
  const childs = able.filter(
    ({ child }) => child && cardnumbers.every((one) => one === child.cardnumber),
  );
  const isWhole = ({ cardCents }: WalletBalance) => cardCents === 0;
  const isOfGroup = ({ wallet, mainCents, cardCents }: WalletBalance) =>
    !wallet.main && wallet.idgroup === idgroup && mainCents + cardCents === 0;
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
