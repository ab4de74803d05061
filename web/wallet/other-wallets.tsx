// The other wallets of a professional's card, whose home shows the main one alone: what a company granted for
// a group lies in one of them.
import { formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useReachableWallets } from "./reachable-wallets.ts";
import { ActionLink } from "#web/ui/layout.tsx";

export function OtherWallets({ current }: { current: string }) {
  const { cards } = useReachableWallets();
  const others = cards
    .flatMap(({ wallets }) => wallets ?? [])
    .filter(({ objectID }) => objectID !== current);
  return others.map((wallet) => (
    <ActionLink
      key={wallet.objectID}
      href={linkTo(paths.movements, wallet)}
      icon="wallet"
      title={`${wallet.name}\u202f: ${formatMoney(wallet.balanceCents)}`}
    >
      {wallet.rule}
    </ActionLink>
  ));
}
