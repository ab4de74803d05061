// The price: options that may be added, every line with its reason, who pays, and the one button.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { Quote, SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { keyOf, queryClient } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { PayWith } from "#web/checkout/pay-with.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { useStep } from "./use-application.ts";
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
      <DefinitionList
        items={[
          { label: "Titulaire", value: application.holder.name },
          { label: "Formule", value: application.formula.name },
        ]}
      />
      <Options application={application} />
      <Lines quote={quote} />
      {application.covers.length > 0 && <p>Couvre aussi {application.covers.join(", ")}.</p>}
      {application.proofs.length > 0 && (
        <Banner title="Vos documents seront vérifiés après le paiement.">
          L’abonnement commence quand ils sont acceptés. S’ils sont refusés, tout revient là d’où
          l’argent est parti.
        </Banner>
      )}
      <Pay key={application.revision} application={application} />
    </div>
  );
}

/** The options, none of them needed: a tick changes the price at once. */
function Options({ application }: { application: SubscriptionApplication }) {
  const { id, options, chosen } = application;
  const keep = useStep(api.subscriptions.chooseOptions);
  // What was ticked, until the server has answered.
  const [ticked, setTicked] = useState<readonly string[] | null>(null);
  if (options.length === 0) return null;
  const shown = ticked ?? chosen;
  const toggle = (code: string, on: boolean) => {
    const next = on ? [...shown, code] : shown.filter((one) => one !== code);
    setTicked(next);
    keep.mutate({ id, options: [...next] }, { onSettled: () => setTicked(null) });
  };
  return (
    <fieldset className={styles.subscriptionOptions}>
      <legend className="unseen">Options</legend>
      {options.map(({ code, name, summary, priceCents }) => (
        <div key={code} className={styles.subscriptionOption}>
          <Checkbox
            label={`${name}, ${formatMoney(priceCents)}`}
            hint={summary}
            checked={shown.includes(code)}
            onChecked={(on) => toggle(code, on)}
          />
        </div>
      ))}
      {keep.error && (
        <Banner tone="danger" alert title="Les options n’ont pas été gardées.">
          {keep.error.message}
        </Banner>
      )}
    </fieldset>
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
