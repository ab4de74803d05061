// The card data by which the order of cards is entered (spec §2, §7), kept or fetched. They are sealed under
// the specification's key, bound to the card, and end with the session.
import { api } from "#contract/api.ts";
import type { OrderInformation } from "#contract/card-orders/dispatch.ts";
import { spec } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { sealed } from "#web/app/transport/session.ts";
import { tokenEndsAt } from "#web/app/transport/token.ts";
import { notify } from "#web/ui/toast.tsx";

/** The card data, from the cache or the server; null once a notification says why there are none. */
export async function cardData(cardnumber: number): Promise<OrderInformation | null> {
  const owner = String(cardnumber);
  const stored = (await sealed.get(spec.dataCardKey, owner)) as OrderInformation | null;
  if (stored?.cardnumber === cardnumber) return stored;
  try {
    const { success, data, message } = await call(api.cardOrders.information, { cardnumber });
    if (!success || !data) {
      refuse(message);
      return null;
    }
    // A browser that keeps nothing more still enters.
    await sealed
      .put(spec.dataCardKey, owner, data, tokenEndsAt() ?? Date.now())
      .catch(() => undefined);
    return data;
  } catch (error) {
    refuse((error as Error).message);
    return null;
  }
}

/** Errors of order information are red at the top (spec §8). */
const refuse = (text: string) => void notify({ text, kind: "error", position: "top" });
