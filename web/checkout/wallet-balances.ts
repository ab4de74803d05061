// The wallets that may pay a purchase, each with how it would pay, or why it cannot.
import { cardCan } from "#contract/cards/rows.ts";
import { isAccepted, splitOf } from "#contract/checkout/rows.ts";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { type CardWallets, useReachableWallets } from "#web/app/reachable-wallets.ts";

export interface Purchase {
  totalCents: number;
  /** The acceptance group whose wallets pay beside the main ones; null for none. */
  idgroup: number | null;
  /** Cards that what is bought is for: their wallets are offered beside one's own. */
  cardnumbers: readonly number[];
}

export interface WalletBalance {
  wallet: Wallet;
  label: string;
  /** French sentence: what it would pay and what remains, or why it cannot pay. */
  hint: string;
  canPay: boolean;
}

export interface WalletBalances {
  /** Null while they load. */
  balances: readonly WalletBalance[] | null;
  problem: Error | null;
  retry: () => void;
}

/** One's own first; the server decides in the end, by the same rules. */
export function useWalletBalances({ totalCents, idgroup, cardnumbers }: Purchase): WalletBalances {
  const { cards, pending, problem, retry } = useReachableWallets();
  if (pending) return { balances: null, problem: null, retry };
  const offered = cards.filter(
    ({ cardnumber, card }) => card?.relation !== "child" || cardnumbers.includes(cardnumber),
  );
  const balances = offered.flatMap((owner) =>
    (owner.wallets ?? []).map((wallet) => balanceOf(wallet, owner, { totalCents, idgroup })),
  );
  const unread = problem ?? cards.find((one) => one.problem)?.problem ?? null;
  return { balances, problem: balances.length === 0 ? unread : null, retry };
}

function balanceOf(
  wallet: Wallet,
  { card, wallets }: CardWallets,
  { totalCents, idgroup }: Pick<Purchase, "totalCents" | "idgroup">,
): WalletBalance {
  const whose = card?.relation === "child" ? `, ${card.name}` : "";
  const label = wallet.name + whose;
  const main = wallets?.find((one) => one.main) ?? null;
  const { walletCents, mainCents, missingCents } = splitOf(totalCents, wallet, main);
  const cannot = (hint: string) => ({ wallet, label, hint, canPay: false });
  if (!isAccepted(wallet.idgroup, idgroup)) return cannot(`Pas pour cet achat. ${wallet.rule}`);
  if (wallet.frozen) return cannot("Bloquée le temps d’un litige.");
  if (card && !cardCan.spend(card)) return cannot("Sa carte ne peut pas payer en ce moment.");
  if (missingCents > 0) return cannot(`Il manque ${formatMoney(missingCents)}.`);
  const left = formatMoney(wallet.projectedCents - walletCents);
  const hint =
    mainCents === 0
      ? `Il restera ${left} sur ${formatMoney(wallet.projectedCents)}.`
      : `${formatMoney(walletCents)} de cette cagnotte, puis ${formatMoney(mainCents)} de la cagnotte principale.`;
  return { wallet, label, hint, canPay: true };
}
