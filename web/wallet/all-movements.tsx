// All operations of a wallet on a screen whose address holds their filters.
import type { TopUpTarget } from "#contract/wallet/top-up-path.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { filtersOf, searchFor } from "./movement-filters.tsx";
import { Movements } from "./movements.tsx";

/** With `topUps`, the wallet, each top-up links to its status. */
export function AllMovements({ wallet, topUps }: { wallet: string; topUps?: TopUpTarget }) {
  const [search, change] = useSearchParameters<"movements">();
  return (
    <Movements
      wallet={wallet}
      {...(topUps && { topUps })}
      filters={filtersOf(search)}
      onFilters={(filters) => change(searchFor(filters))}
    />
  );
}
