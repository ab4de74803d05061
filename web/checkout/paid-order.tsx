// The end of every purchase: what was paid, with what, and the receipt. It is read from the server by the
// order's id, so that a reload or a link comes back to it.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import type { Purchase } from "#contract/checkout/purchases.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { PaymentEnd } from "#web/wallet/payment-end.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

type End = Parameters<typeof PaymentEnd>[0];

interface Props extends Omit<End, "facts"> {
  /** The id of the order that was paid. */
  order: string;
  /** What the room knows of it: who it is for, until when. */
  facts?: End["facts"];
  /** The room has a receipt of its own, among its acts. */
  ownReceipt?: boolean;
}

export function PaidOrder({ order, facts, ownReceipt = false, acts, ...end }: Props) {
  const answer = useAnswer(api.checkout.purchase, { order });
  const { data, error, isPending } = answer;
  if (isPending) {
    return (
      <Loading label="Lecture de votre achat…">
        <Skeleton height="6rem" width="6rem" round />
        <Skeleton lines={4} height="2.5rem" />
      </Loading>
    );
  }
  // What another person paid, or an order of before purchases were kept, has no figures here.
  const paid = data ? paidFacts(data) : [];
  const isUnread = !data && error !== null && error.status !== 404;
  return (
    <PaymentEnd
      {...end}
      {...(isUnread && {
        warning: (
          <Banner
            tone="warning"
            title="Ce que vous avez payé n’a pas pu être lu."
            actions={
              <Button
                size="small"
                icon="refresh"
                loading={answer.isFetching}
                onClick={() => void answer.refetch()}
              >
                Réessayer
              </Button>
            }
          >
            {error.message}
          </Banner>
        ),
      })}
      facts={[...(facts ?? []), ...paid]}
      acts={
        <>
          {acts}
          {data && data.totalCents > 0 && !ownReceipt && <Receipt order={order} />}
        </>
      }
    />
  );
}

const Receipt = ({ order }: { order: string }): ReactNode => (
  <DownloadButton
    row={api.checkout.receipt}
    input={{ order }}
    failed="Le reçu n’a pas pu être préparé."
  >
    Télécharger le reçu (PDF)
  </DownloadButton>
);

function paidFacts(purchase: Purchase): NonNullable<End["facts"]> {
  const { label, totalCents, held, paidWith, cardCents, paidAt, number } = purchase;
  return [
    { label: "Achat", value: label },
    { label: "Montant", value: totalCents === 0 ? "Gratuit" : <Money cents={totalCents} /> },
    ...paidWith.map(({ wallet, aid, amountCents }) => ({
      label: aid ? `Aide, ${wallet}` : wallet,
      value: <Money cents={amountCents} />,
    })),
    cardCents > 0 ? { label: "Carte bancaire", value: <Money cents={cardCents} /> } : null,
    {
      label: totalCents === 0 ? "Obtenu le" : held ? "Mis de côté le" : "Payé le",
      value: <DateText at={paidAt} time />,
    },
    totalCents > 0 ? { label: "Reçu n°", value: String(number) } : null,
  ];
}
