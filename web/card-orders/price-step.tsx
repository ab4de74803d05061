// The price, and how it is paid: at once by the checkout, or against an invoice.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { CardOrderDesk, CardOrderDraft } from "#contract/card-orders/rows.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { RefusedBanner } from "#web/app/shared/refused-banner.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Text } from "#web/ui/text.tsx";
import { useGo } from "./navigation.ts";
import { PriceLines } from "./price-lines.tsx";

interface Props {
  desk: CardOrderDesk;
  draft: CardOrderDraft;
}

export function PriceStep({ desk, draft }: Props) {
  const [how, setHow] = useState<"now" | "invoice">("now");
  const { price, delivery, paymentFailed } = draft;
  return (
    <Stack gap={20}>
      <StepHeading>Vérifiez avant de commander</StepHeading>
      {paymentFailed && (
        <Banner tone="warning" title="Le dernier paiement n’a pas abouti.">
          {paymentFailed} Votre commande est intacte&#8239;: vous pouvez payer de nouveau.
        </Banner>
      )}
      <DefinitionList
        items={[
          {
            label: "Livraison",
            value:
              delivery &&
              `${delivery.recipient}, ${delivery.street}, ${delivery.postcode} ${delivery.town}`,
          },
          { label: "Texte imprimé", value: draft.design?.label },
        ]}
      />
      <PriceLines price={price} />
      {desk.company.invoiced ? (
        <RadioGroup
          label="Règlement"
          boxed
          options={[
            { value: "now", label: "Payer maintenant", hint: "La facture acquittée est jointe." },
            {
              value: "invoice",
              label: "Sur facture",
              hint: `À régler par virement sous ${limits.dueDays} jours.`,
            },
          ]}
          value={how}
          onValue={setHow}
        />
      ) : (
        <Banner tone="warning" title="Votre entreprise n’a pas de SIREN chez nous.">
          La loi demande une facture pour cette commande. Écrivez-nous depuis Contact, puis revenez.
        </Banner>
      )}
      {desk.company.invoiced && how === "now" && <PayNow draft={draft} />}
      {desk.company.invoiced && how === "invoice" && <ByInvoice draft={draft} />}
      <Text tone="soft" size="small" weight="normal">
        Vous pouvez annuler sans frais jusqu’à la mise en fabrication, d’ordinaire le lendemain.
      </Text>
    </Stack>
  );
}

function PayNow({ draft: { id, revision, price, topUp } }: { draft: CardOrderDraft }) {
  const { toPaidOrder } = useGo();
  const { totalCents } = price;
  return (
    <PayWith
      totalCents={totalCents}
      idgroup={null}
      cardnumbers={[]}
      begun={topUp}
      summary={plural(price.quantity, "carte")}
      freeLabel="Commander gratuitement"
      once="la commande n’est payée qu’une fois"
      attempt={(paying) => call(api.cardOrders.pay, { order: id, revision, totalCents, ...paying })}
      onPaid={(paid) => {
        if (paid.payment === null) toPaidOrder(id);
      }}
    />
  );
}

function ByInvoice({ draft: { id, revision, price } }: { draft: CardOrderDraft }) {
  const { toOrder } = useGo();
  const { totalCents } = price;
  const order = useAction(
    (_: void, proof) =>
      call(api.cardOrders.orderByInvoice, { order: id, revision, totalCents, ...proof }),
    {
      onDone: (answer) => {
        queryClient.setQueryData(keyOf(api.cardOrders.dispatch, { id }), answer);
        toOrder(id);
      },
    },
  );
  return (
    <Stack gap={20}>
      {order.problem && (
        <RefusedBanner
          problem={order.problem}
          title="Rien n’a été commandé."
          unknown="Nous ne savons pas encore si la commande est passée."
          again="elle ne passe qu’une fois"
        />
      )}
      <Button kind="primary" wide loading={order.isPending} onClick={() => order.send()}>
        Commander pour {formatMoney(totalCents)}
      </Button>
    </Stack>
  );
}
