// An order of each sale, ready to be paid, for tests of the checkout.
import { cast } from "./cast.ts";
import { makeEvent } from "./events.ts";
import type { Client, TestServer } from "./test-server.ts";

export interface ReadyOrder {
  /** Where it is paid. */
  path: string;
  /** The body of the call, beside how it is paid. */
  body: { totalCents: number } & Record<string, unknown>;
}

export type ReadySale = "pass" | "tickets" | "subscription";

/** Purchases of the guardian for their own card; one at a time of each sale. */
export function readyOrders(
  server: TestServer,
  client: () => Client,
): Record<ReadySale, () => Promise<ReadyOrder>> {
  const own: number = cast.guardian.cardnumber;
  const empty = (statements: string) => server.deps.pool.query(statements);
  return {
    pass: async () => {
      await empty("delete from pass; delete from pass_order");
      const begun = { product: "lagon-mois", cardnumber: own };
      const { body: first } = await client().post("/api/passes/orders", begun);
      const path = `/api/passes/orders/${first.id}`;
      const { body } = await client().post(path, { startOn: first.start.from });
      const { revision, price } = body;
      return { path: `${path}/pay`, body: { revision, totalCents: price.totalCents } };
    },
    tickets: async () => {
      const event = await makeEvent(server);
      const line = { session: event.session, category: event.full, cardnumber: own, quantity: 1 };
      const { cart } = (await client().post("/api/tickets/cart/lines", line)).body;
      const body = { order: cart.id, totalCents: cart.totalCents };
      return { path: "/api/tickets/cart/pay", body };
    },
    subscription: async () => {
      await empty("delete from subscription_cover; delete from subscription");
      const chosen = { cardnumber: own, formula: "essentiel" };
      const { id } = (await client().post("/api/subscriptions", chosen)).body;
      await client().post(`/api/subscriptions/${id}/holder`);
      const { body } = await client().post(`/api/subscriptions/${id}/options`, { options: [] });
      const { revision, quote } = body;
      const path = `/api/subscriptions/${id}/pay`;
      return { path, body: { revision, totalCents: quote.totalCents } };
    },
  };
}
