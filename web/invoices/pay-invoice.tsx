// Paying an invoice here: the one checkout, and the payment that is followed on the way back.
import { api } from "#contract/api.ts";
import type { Invoice } from "#contract/invoices/rows.ts";
import { invoiceCan } from "#contract/invoices/states.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { FollowedPayment } from "#web/wallet/follow-payment.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { PaidOrder } from "#web/checkout/paid-order.tsx";
import { Section } from "#web/ui/layout.tsx";

export function PayInvoice({ invoice }: { invoice: Invoice }) {
  const [search, change] = useSearchParameters<"invoices">();
  const followed = search.payment;
  const paid = (
    <Section>
      <PaidOrder
        order={invoice.id}
        title="La facture est payée"
        words={["Le paiement est noté sur la facture, et le reçu vous a été envoyé."]}
        acts={null}
      />
    </Section>
  );
  if (followed !== undefined) {
    return (
      <FollowedPayment
        id={followed}
        settled={paid}
        onAgain={() => change({ payment: undefined })}
        onRest={() => noteChanges(["invoices", "wallets"])}
      />
    );
  }
  if (search.paid !== undefined && invoice.payment === "paid") return paid;
  if (!invoiceCan.pay(invoice)) return null;
  return (
    <Section title="Payer maintenant">
      <PayWith
        totalCents={invoice.openCents}
        idgroup={null}
        cardnumbers={[]}
        summary={`Facture ${invoice.number}`}
        freeLabel="Rien à payer"
        once="la facture n’est payée qu’une fois"
        attempt={(paying) =>
          call(api.invoices.pay, {
            invoice: invoice.id,
            totalCents: invoice.openCents,
            ...paying,
          })
        }
        onPaid={(answer) => {
          const key = keyOf(api.invoices.one, { invoice: invoice.id });
          queryClient.setQueryData(key, answer.invoice);
          if (answer.payment === null) change({ paid: "" });
        }}
      />
    </Section>
  );
}
