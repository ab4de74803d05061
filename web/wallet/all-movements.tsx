// All operations of a wallet on a screen whose address holds their filters.
import { useSearchParameters } from "#web/app/shared/search.ts";
import { filtersOf, searchOf } from "./movement-filters.tsx";
import { Movements } from "./movements.tsx";

/** `topUps` is the path of the recharge, under which a top-up is followed. */
export function AllMovements({ wallet, topUps }: { wallet: string; topUps?: string }) {
  const [search, change] = useSearchParameters();
  return (
    <Movements
      wallet={wallet}
      {...(topUps && { topUps })}
      filters={filtersOf(search)}
      onFilters={(filters) => change(searchOf(filters))}
    />
  );
}
