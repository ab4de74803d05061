// The amounts that a wallet allows to be added, and the words for them. Pure: the wallet brings its own
// limits.
import { formatMoney } from "#contract/french.ts";
import { money } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet/rows.ts";

type Limits = Pick<Wallet, "topUpMinCents" | "topUpMaxCents" | "capCents" | "roomCents">;

/** Most that one top-up may add now. */
export const maxTopUpCents = ({ topUpMaxCents, roomCents }: Limits): number =>
  Math.min(topUpMaxCents, roomCents);

/** Whether any amount is allowed: a full wallet takes nothing more. */
export const takesMore = (wallet: Limits): boolean => maxTopUpCents(wallet) >= wallet.topUpMinCents;

/** The usual amounts that this wallet takes. */
export const presetsOf = (wallet: Limits): number[] =>
  money.topUpPresetsCents.filter(
    (cents) => cents >= wallet.topUpMinCents && cents <= maxTopUpCents(wallet),
  );

/** « 20 € », « 12,50 € »: what a button or a sentence says. */
export const short = (cents: number): string => formatMoney(cents).replace(",00", "");

/** The hint of the field before there is an error. */
export function limitsHint(wallet: Limits): string {
  const least = short(wallet.topUpMinCents);
  if (wallet.roomCents >= wallet.topUpMaxCents) {
    return `De ${least} à ${short(wallet.topUpMaxCents)} par recharge.`;
  }
  return (
    `De ${least} à ${short(maxTopUpCents(wallet))}\u202f: ` +
    `une cagnotte ne dépasse pas ${short(wallet.capCents)}.`
  );
}

/** Why an amount is refused and what to type instead; null when it is right. */
export function wrongAmount(cents: number | null, wallet: Limits): string | null {
  if (cents === null) return "Indiquez le montant à ajouter, par exemple 20.";
  if (cents < wallet.topUpMinCents) {
    return `Le montant minimal est de ${short(wallet.topUpMinCents)}.`;
  }
  if (cents > wallet.topUpMaxCents) {
    return `Le montant maximal est de ${short(wallet.topUpMaxCents)} par recharge.`;
  }
  if (cents > wallet.roomCents) {
    return (
      `Cette cagnotte ne peut pas dépasser ${short(wallet.capCents)}\u202f: ` +
      `vous pouvez ajouter au plus ${short(wallet.roomCents)}.`
    );
  }
  return null;
}
