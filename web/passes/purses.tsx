// The wallets that may pay a ride: one's main one, that of the group, and those of the card that rides.
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useUser } from "#web/app/use-observed.ts";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { firstName } from "./cards.ts";

export interface Purse {
  wallet: Wallet;
  label: string;
}

/** What is chosen when one pays at the provider. */
export const cardValue = "card";

/** Null while they load. The current card's come first. */
export function usePurses(
  idgroup: number,
  { cardnumber, holder }: { cardnumber: number; holder: string },
): readonly Purse[] | null {
  const user = useUser();
  const other = cardnumber !== user.cardnumber;
  const own = useAnswer(api.wallet.list, { cardnumber: user.cardnumber });
  const theirs = useAnswer(api.wallet.list, { cardnumber }, { enabled: other });
  if (own.isPending || (other && theirs.isPending)) return null;
  const fits = ({ main, idgroup: group }: Wallet) => main || group === idgroup;
  const of = (wallets: readonly Wallet[] | undefined, whose: string) =>
    (wallets ?? []).filter(fits).map((wallet) => ({ wallet, label: wallet.name + whose }));
  return [
    ...of(own.data?.items, ""),
    ...(other ? of(theirs.data?.items, `, ${firstName(holder)}`) : []),
  ];
}

/** `byCard` adds the payment page of the provider, `cardValue` when it is chosen. */
export function PayWith({
  purses,
  value,
  onValue,
  byCard,
}: {
  purses: readonly Purse[] | null;
  value: string | null;
  onValue: (value: string) => void;
  byCard?: "real" | "fictitious" | false;
}) {
  if (!purses) {
    return (
      <Loading label="Chargement des cagnottes…">
        <Skeleton lines={2} height="4rem" />
      </Loading>
    );
  }
  const options = purses.map(({ wallet, label }) => ({
    value: wallet.objectID,
    label,
    hint: wallet.frozen
      ? "Bloquée le temps d’un litige"
      : `Disponible\u202f: ${formatMoney(wallet.projectedCents)}`,
    disabled: wallet.frozen,
  }));
  const card = {
    value: cardValue,
    label: "Carte bancaire",
    hint:
      byCard === "fictitious"
        ? "Paiements fictifs\u202f: rien n’est débité"
        : "Sur la page sécurisée de notre prestataire",
    disabled: false,
  };
  return (
    <RadioGroup
      label="Payer avec"
      boxed
      options={byCard ? [...options, card] : options}
      value={value}
      onValue={onValue}
    />
  );
}
