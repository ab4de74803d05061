// Third step: the options, each with its price; none is a choice too.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useStep } from "./use-file.ts";

export function OptionsStep({ file, onDone }: { file: SubscriptionFile; onDone: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>(file.chosen);
  const keep = useStep(api.subscriptions.chooseOptions, onDone);
  const toggle = (code: string, on: boolean) =>
    setChosen((before) => (on ? [...before, code] : before.filter((one) => one !== code)));
  return (
    <>
      <fieldset className="subscription-options">
        <legend>
          <h2 className="subscription-step">Ajoutez des options</h2>
        </legend>
        <p className="subscription-soft">Rien n’est obligatoire.</p>
        {file.options.map(({ code, name, summary, priceCents }) => (
          <div key={code} className="subscription-option">
            <Checkbox
              label={`${name}, ${formatMoney(priceCents)}`}
              hint={summary}
              checked={chosen.includes(code)}
              onChecked={(on) => toggle(code, on)}
            />
          </div>
        ))}
      </fieldset>
      {keep.error && (
        <Banner tone="danger" alert title="Les options n’ont pas été gardées.">
          {keep.error.message}
        </Banner>
      )}
      <div className="subscription-next">
        <Button
          kind="primary"
          iconEnd="forward"
          loading={keep.isPending}
          onClick={() => keep.mutate({ id: file.id, options: [...chosen] })}
        >
          {chosen.length === 0 ? "Continuer sans option" : "Voir le prix"}
        </Button>
      </div>
    </>
  );
}
