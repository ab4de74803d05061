// One's own alert on a low balance: how low, and by which ways it is told.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "#contract/api.ts";
import type { Automations } from "#contract/funding.ts";
import { funding as limits } from "#contract/limits.ts";
import { keyOf, queryClient } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { useFirstError } from "#web/ui/first-error.ts";
import { Section } from "#web/ui/layout.tsx";
import { notify } from "#web/ui/toast.tsx";
import { short } from "./top-up-limits.ts";

const presets = [500, 1000, 2000];
type Alert = Automations["alert"];

export function AlertSection({ objectID, seen }: { objectID: string; seen: Automations }) {
  const { alert } = seen;
  const [cents, setCents] = useState(alert?.thresholdCents ?? 1000);
  const [typed, setTyped] = useState<number | null>(cents);
  const [email, setEmail] = useState(alert?.email ?? seen.email !== null);
  const [sms, setSms] = useState(alert?.sms ?? false);
  const [tries, setTries] = useState(0);
  const save = useMutation<Automations, ApiProblem, Alert>({
    mutationFn: (wanted) => call(api.funding.setAlert, { objectID, alert: wanted }),
    onSuccess: (answer, wanted) => {
      queryClient.setQueryData(keyOf(api.funding.automations, { objectID }), answer);
      notify({ text: wanted ? "Alerte enregistrée." : "Alerte supprimée.", kind: "success" });
    },
  });
  const wrong =
    typed === null || typed < 1 || typed > limits.mostCents
      ? "Indiquez un montant en euros, par exemple 10, au plus 10 000 €."
      : null;
  const form = useFirstError<HTMLFormElement>(wrong && tries);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTries(tries + 1);
    if (wrong === null) save.mutate({ thresholdCents: cents, email, sms });
  };
  return (
    <Section
      title="Alerte de solde bas"
      action={alert && <Badge tone="success">Sous {short(alert.thresholdCents)}</Badge>}
    >
      <p className="automations-lead">
        Nous vous prévenons une fois, quand le solde passe sous le montant choisi.
      </p>
      <form ref={form} className="automations-form" noValidate onSubmit={send}>
        <AmountInput
          label="Me prévenir sous"
          cents={typed}
          presetsCents={presets}
          error={tries > 0 && wrong}
          onCents={(value) => {
            setTyped(value);
            if (value !== null) setCents(value);
          }}
        />
        <fieldset className="automations-ways">
          <legend>Dans le portail, et aussi</legend>
          <Checkbox
            label="Par e-mail"
            hint={seen.email ?? "Ajoutez une adresse dans votre profil."}
            checked={email}
            disabled={seen.email === null}
            onChecked={setEmail}
          />
          <Checkbox
            label="Par SMS"
            hint={
              seen.sms === null
                ? "Ajoutez un numéro dans votre profil."
                : `Au numéro qui finit par ${seen.sms.slice(-2)}`
            }
            checked={sms}
            disabled={seen.sms === null}
            onChecked={setSms}
          />
        </fieldset>
        {save.error && (
          <Banner tone="danger" alert title="L’alerte n’a pas été enregistrée.">
            {save.error.message}
          </Banner>
        )}
        <div className="automations-acts">
          <Button type="submit" loading={save.isPending}>
            {alert ? "Enregistrer l’alerte" : "Créer l’alerte"}
          </Button>
          {alert && (
            <Button kind="ghost" icon="trash" onClick={() => save.mutate(null)}>
              Supprimer l’alerte
            </Button>
          )}
        </div>
      </form>
    </Section>
  );
}
