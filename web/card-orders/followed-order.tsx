// Back from the payment page: the payment followed until it has ordered the cards, or not.
import { api } from "#contract/api.ts";
import { readAgain } from "#web/app/answers.ts";
import { FollowedPayment } from "#web/app/follow-payment.tsx";
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
          void readAgain(api.cardOrders.desk, api.cardOrders.list, api.companies.proCards);
          if (order?.outcome === "settled") toPaidOrder(order.id);
        }}
      />
    </Section>
  );
}
