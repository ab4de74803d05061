// Who pays an application, and the one button.
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { wireSearch } from "#contract/link-to.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import styles from "./subscriptions.module.css";

export function Pay({ application }: { application: SubscriptionApplication }) {
  const navigate = useNavigate();
  const { id, revision, quote, holder } = application;
  return (
    <>
      <PayWith
        totalCents={quote.totalCents}
        idgroup={null}
        cardnumbers={[holder.cardnumber]}
        begun={application.payment?.topUp}
        summary={application.formula.name}
        freeLabel="Souscrire gratuitement"
        once="le dossier n’est payé qu’une fois"
        attempt={(paying) =>
          call(api.subscriptions.pay, { id, revision, totalCents: quote.totalCents, ...paying })
        }
        onPaid={async (paid) => {
          const search = wireSearch<"subscription">({ application: id, step: "paiement" });
          await navigate({ to: ".", search, replace: true, resetScroll: false });
          queryClient.setQueryData(keyOf(api.subscriptions.read, { id }), paid);
        }}
      />
      <p className={styles.subscriptionNote}>
        Vous pouvez annuler pendant 14 jours et être remboursé en entier là d’où l’argent est parti.
      </p>
    </>
  );
}
