// The price: options that may be added, every line with its reason, who pays, and the one button.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import { startWords } from "#contract/subscriptions/period-words.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import { Lines } from "./price-lines.tsx";
import { useStep } from "./use-application.ts";
import styles from "./subscriptions.module.css";

const Pay = lazy(async () => ({ default: (await import("./pay-application.tsx")).Pay }));

export function PriceStep({ application }: { application: SubscriptionApplication }) {
  const { quote, priceChange, paymentFailed } = application;
  const [changes, setChanges] = useState(0);
  return (
    <Stack gap={20}>
      <StepHeading>Vérifiez le prix avant de payer</StepHeading>
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
      <Options application={application} onChange={() => setChanges(changes + 1)} />
      <Lines quote={quote} />
      {application.covers.length > 0 && <p>Couvre aussi {application.covers.join(", ")}.</p>}
      {application.proofs.length > 0 && (
        <Banner title="Vos documents seront vérifiés après le paiement.">
          L’abonnement commencera {startWords(quote.startsOn)}. S’ils sont refusés, tout revient là
          d’où l’argent est parti.
        </Banner>
      )}
      <Suspense fallback={<Skeleton lines={2} height="4.5rem" />}>
        {/* One's own change forgets what was refused; one made elsewhere does not: it says why the price is new. */}
        <Pay key={changes} application={application} />
      </Suspense>
    </Stack>
  );
}

/** The options, none of them needed: a tick changes the price at once. */
function Options({
  application,
  onChange,
}: {
  application: SubscriptionApplication;
  onChange: () => void;
}) {
  const { id, options, chosen } = application;
  const keep = useStep(api.subscriptions.chooseOptions);
  // What was ticked, until the server has answered.
  const [ticked, setTicked] = useState<readonly string[] | null>(null);
  if (options.length === 0) return null;
  const current = ticked ?? chosen;
  const toggle = (code: string, on: boolean) => {
    const next = on ? [...current, code] : current.filter((one) => one !== code);
    setTicked(next);
    onChange();
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
            checked={current.includes(code)}
            onChecked={(on) => toggle(code, on)}
          />
        </div>
      ))}
      <ProblemBanner problem={keep.error} title="Les options n’ont pas été gardées." />
    </fieldset>
  );
}
