// Third step: the options, each with its price; none is a choice too.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useStep } from "./use-application.ts";
import styles from "./subscriptions.module.css";

export function OptionsStep({
  application,
  onDone,
}: {
  application: SubscriptionApplication;
  onDone: () => void;
}) {
  const [chosen, setChosen] = useState<readonly string[]>(application.chosen);
  const keep = useStep(api.subscriptions.chooseOptions, onDone);
  const toggle = (code: string, on: boolean) =>
    setChosen((before) => (on ? [...before, code] : before.filter((one) => one !== code)));
  return (
    <>
      <fieldset className={styles.subscriptionOptions}>
        <legend>
          <h2 className={styles.subscriptionStep}>Ajoutez des options</h2>
        </legend>
        <p className={styles.subscriptionSoft}>Rien n’est obligatoire.</p>
        {application.options.map(({ code, name, summary, priceCents }) => (
          <div key={code} className={styles.subscriptionOption}>
            <Checkbox
              label={`${name}, ${formatMoney(priceCents)}`}
              hint={summary}
              checked={chosen.includes(code)}
              onChecked={(on) => toggle(code, on)}
            />
          </div>
        ))}
      </fieldset>
      <ProblemBanner problem={keep.error} title="Les options n’ont pas été gardées." />
      <div className={styles.subscriptionNext}>
        <Button
          kind="primary"
          iconEnd="forward"
          loading={keep.isPending}
          onClick={() => keep.mutate({ id: application.id, options: [...chosen] })}
        >
          {chosen.length === 0 ? "Continuer sans option" : "Voir le prix"}
        </Button>
      </div>
    </>
  );
}
