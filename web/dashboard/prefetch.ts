// Prefetches the answers of the first screen: in parallel with its own code, and with the request that the
// layout waits for.
import { api } from "#contract/api.ts";
import { prefetch } from "#web/app/transport/api.ts";
import { storedUser } from "#web/app/transport/session.ts";
import { readToken, stateOfToken } from "#web/app/transport/token.ts";

/** Prefetches the answers of the dashboard where a session is there; its screen is given them. */
export async function prefetchDashboard(): Promise<void> {
  if (stateOfToken(readToken()) !== "valid") return;
  const user = await storedUser();
  if (!user || user.isReset) return;
  const { cardnumber, type } = user;
  prefetch(api.wallet.info, { cardnumber });
  prefetch(api.cards.list, {});
  // A professional's home asks for its own beside its own code.
  if (type !== 1) return;
  prefetch(api.wallet.list, { cardnumber });
  prefetch(api.home.read, { cardnumber });
}
