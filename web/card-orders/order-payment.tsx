// The payment of an order of cards, followed on the return from the payment page until it has ordered the
// cards, or not.
import { noteChanges } from "#web/app/transport/changes.ts";
import { FollowedPayment } from "#web/wallet/follow-payment.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { useGo } from "./navigation.ts";

export function FollowedOrder({ id }: { id: string }) {
  const { toStep, toPaidOrder } = useGo();
  return (
    <Section>
      <FollowedPayment
        id={id}
        settled={<Skeleton lines={4} height="3rem" />}
        onAgain={() => toStep("price")}
        onRest={({ order }) => {
          noteChanges(["card_orders", "pro_cards"]);
          if (order?.outcome === "settled") toPaidOrder(order.id);
        }}
      />
    </Section>
  );
}
