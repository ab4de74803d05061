// Facts of the day on the service tiles of a card: its money, and what other rooms add: its subscription, the
// next tickets, the next bus of a pass. A guardian's own card includes their children.
import type { ServiceFacts } from "#contract/portal/home.ts";
import type { Deps } from "#server/process/deps.ts";
import { holderWithChildren } from "#server/family/family.ts";
import { mainWalletsOf } from "#server/wallet/wallet.ts";
import { type TileFacts, tileFacts } from "./home-hooks.ts";

/** Facts for the tiles of `/services`. A card that is not the caller's or their child's: `not_found`. */
export async function serviceFactsOf(
  deps: Deps,
  me: number,
  { cardnumber }: { cardnumber: number },
): Promise<ServiceFacts> {
  const { db } = deps;
  const at = deps.now();
  const holder = await holderWithChildren(db, me, cardnumber);
  const people = [
    holder.id,
    ...holder.children.map(({ id }) => id).toSorted((one, other) => one - other),
  ];
  const holderHome = { me, holder: holder.id, people, at };
  const [wallets, facts] = await Promise.all([
    mainWalletsOf(deps, [holder.id]),
    Promise.all(tileFacts.map((factsOf) => factsOf(db, holderHome))),
  ]);
  const nothing = { subscribedUntil: null, tickets: null, pass: null, partners: 0 };
  return {
    balanceCents: wallets.get(holder.id)?.balanceCents ?? null,
    ...facts.reduce<TileFacts>((all, some) => ({ ...all, ...some }), nothing),
  };
}
