// The wallets that may pay a purchase, each with how it would pay, or why it cannot.
import { cardCan, type Card } from "#contract/cards/rows.ts";
import { isAccepted, splitOf, splitWithCard } from "#contract/checkout/rows.ts";
import { firstName, formatMoney } from "#contract/french.ts";
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
  /** What of the price is for each of several people, whose own wallets may pay it; amounts in cents. */
  parts?: readonly PurchasePart[];
}

export interface PurchasePart {
  cardnumber: number;
  totalCents: number;
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

/** How each wallet would pay an amount in cents, of the whole purchase or of a part; one's own first. */
export type BalancesOf = (totalCents: number) => readonly WalletBalance[];

interface WalletBalances {
  /** Null while the wallets load. */
  balancesOf: BalancesOf | null;
  problem: Error | null;
  retry: () => void;
}

/** The wallets that may be asked; the server decides in the end, by the same rules. */
export function useWalletBalances(
  { idgroup, cardnumbers, ownMoney = false }: Omit<Purchase, "totalCents" | "parts">,
  { byCard = false, holds = [] }: Beside = {},
): WalletBalances {
  const { cards, pending, problem, retry } = useReachableWallets();
  if (pending) return { balancesOf: null, problem: null, retry };
  const offered = cards.filter(
    ({ cardnumber, card }) => card?.relation !== "child" || cardnumbers.includes(cardnumber),
  );
  const owners = offered.map((owner) => ({
    ...owner,
    wallets: (owner.wallets ?? [])
      .map((wallet) => (ownMoney ? { ...wallet, projectedCents: wallet.sendableCents } : wallet))
      .map((wallet) => withHolds(wallet, holds)),
  }));
  const names = offered.flatMap(({ card }) => card?.name ?? []);
  const balancesOf = (totalCents: number) =>
    owners.flatMap((owner) =>
      owner.wallets.map((wallet) =>
        balanceOf(wallet, owner, { totalCents, idgroup, byCard, names }),
      ),
    );
  const unread = problem ?? cards.find((one) => one.problem)?.problem ?? null;
  const isNone = owners.every(({ wallets }) => wallets.length === 0);
  return { balancesOf, problem: isNone ? unread : null, retry };
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
  {
    totalCents,
    idgroup,
    byCard,
    names,
  }: Pick<Purchase, "totalCents" | "idgroup"> & {
    byCard: boolean;
    /** Of all whose wallets are offered. */
    names: readonly string[];
  },
): WalletBalance {
  const child = card?.relation === "child" ? card : null;
  const label = child ? `${wallet.name}, ${firstName(child.name, names)}` : wallet.name;
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
