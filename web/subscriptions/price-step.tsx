// Fourth step: every line of the price with its reason, who pays, and the one button that does.
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import type { Quote, SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { keyOf, queryClient } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Money } from "#web/ui/money.tsx";
import styles from "./subscriptions.module.css";

export function PriceStep({ application }: { application: SubscriptionApplication }) {
  const { quote, priceChange, paymentFailed } = application;
  return (
    <div className={styles.subscriptionPrice}>
      <h2 className={styles.subscriptionStep}>Vérifiez le prix avant de payer</h2>
      {paymentFailed && (
        <Banner tone="warning" title="Le dernier paiement n’a pas abouti.">
          {paymentFailed} Votre dossier est intact&#8239;: vous pouvez payer de nouveau.
        </Banner>
      )}
      {priceChange && <Banner title="Le prix a changé.">{priceChange}</Banner>}
      <Lines quote={quote} />
      {application.covers.length > 0 && <p>Couvre aussi {application.covers.join(", ")}.</p>}
      {application.proofs.length > 0 && (
        <Banner title="Vos documents seront vérifiés après le paiement.">
          L’abonnement commence quand ils sont acceptés. S’ils sont refusés, tout revient là d’où
          l’argent est parti.
        </Banner>
      )}
      <Pay application={application} />
    </div>
  );
}

/** Each line of a price with its reason, then what they make. */
export function Lines({ quote }: { quote: Quote }) {
  return (
    <dl className={styles.priceLines}>
      {quote.lines.map(({ label, why, amountCents }) => (
        <div key={label} className={styles.priceLine}>
          <dt>
            {label}
            <span className={styles.priceWhy}>{why}</span>
          </dt>
          <dd>
            <Money cents={amountCents} />
          </dd>
        </div>
      ))}
      <div className={`${styles.priceLine} ${styles.priceTotal}`}>
        <dt>Total</dt>
        <dd>
          <Money cents={quote.totalCents} size="large" />
        </dd>
      </div>
    </dl>
  );
}

function Pay({ application }: { application: SubscriptionApplication }) {
  const navigate = useNavigate();
  const { id, revision, quote, holder } = application;
  const key = keyOf(api.subscriptions.read, { id });
  return (
    <>
      <PayWith
        totalCents={quote.totalCents}
        idgroup={null}
        cardnumbers={[holder.cardnumber]}
        freeLabel="Souscrire gratuitement"
        once="le dossier n’est payé qu’une fois"
        attempt={(paying) =>
          call(api.subscriptions.pay, { id, revision, totalCents: quote.totalCents, ...paying })
        }
        onPaid={async (paid) => {
          const search = { dossier: id, etape: "paiement" };
          await navigate({ to: ".", search, replace: true, resetScroll: false });
          queryClient.setQueryData(key, paid);
        }}
        onRefused={() => void queryClient.invalidateQueries({ queryKey: key })}
      />
      <p className={styles.subscriptionNote}>
        Vous pouvez annuler pendant 14 jours et être remboursé en entier là d’où l’argent est parti.
      </p>
    </>
  );
}
