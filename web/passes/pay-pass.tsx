// Who pays a pass, and the one button.
import { api } from "#contract/api.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Button } from "#web/ui/button.tsx";

export function PayPass({ order, onBack }: { order: PassOrder; onBack: () => void }) {
  const { id, revision, group, cardnumber, product, topUp } = order;
  const { totalCents } = order.price;
  return (
    <PayWith
      totalCents={totalCents}
      idgroup={group.idgroup}
      cardnumbers={[cardnumber]}
      begun={topUp}
      summary={product.name}
      freeLabel="Prendre ce titre gratuit"
      once="le titre n’est payé qu’une fois"
      mend={
        <Button size="small" icon="edit" onClick={onBack}>
          Modifier
        </Button>
      }
      attempt={(paying) => call(api.passes.pay, { order: id, revision, totalCents, ...paying })}
      onPaid={(paid) => {
        queryClient.setQueryData(keyOf(api.passes.order, { order: id }), paid.order);
      }}
    />
  );
}
