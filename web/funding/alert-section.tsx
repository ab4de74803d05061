// One's own alert on a low balance: how low, and by which channels it is sent.
import { api } from "#contract/api.ts";
import type { Automations } from "#contract/funding/rows.ts";
import { funding as limits } from "#contract/limits.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Section } from "#web/ui/layout.tsx";
import { short } from "#web/wallet/top-up-limits.ts";
import styles from "./automations.module.css";

const presets = [500, 1000, 2000];
type Alert = NonNullable<Automations["alert"]>;
/** The fields as they are typed. */
type Typed = Omit<Alert, "thresholdCents"> & { thresholdCents: number | null };

export function AlertSection({ objectID, seen }: { objectID: string; seen: Automations }) {
  const { alert } = seen;
  const save = useAction(
    (typed: Typed | null) => {
      const newAlert = typed && { ...typed, thresholdCents: typed.thresholdCents ?? 0 };
      return call(api.funding.setAlert, { objectID, alert: newAlert });
    },
    {
      says: (_, input) => (input ? "Alerte enregistrée." : "Alerte supprimée."),
      onDone: (answer) =>
        queryClient.setQueryData(keyOf(api.funding.automations, { objectID }), answer),
    },
  );
  const { values, set, errorOf, problem, form } = useForm<Typed>(
    {
      thresholdCents: alert?.thresholdCents ?? 1000,
      email: alert?.email ?? seen.email !== null,
      sms: alert?.sms ?? false,
    },
    ({ thresholdCents: cents }) => ({
      thresholdCents:
        (cents === null || cents < 1 || cents > limits.maxCents) &&
        "Indiquez un montant en euros, par exemple 10, au plus 10 000 €.",
    }),
    save,
  );
  return (
    <Section
      title="Alerte de solde bas"
      action={alert && <Badge tone="success">Sous {short(alert.thresholdCents)}</Badge>}
    >
      <p className={styles.automationsLead}>
        Nous vous prévenons une fois, quand le solde passe sous le montant choisi.
      </p>
      <form {...form}>
        <AmountInput
          label="Me prévenir sous"
          cents={values.thresholdCents}
          presetsCents={presets}
          error={errorOf("thresholdCents")}
          onCents={(thresholdCents) => set({ thresholdCents })}
        />
        <fieldset className={styles.automationsWays}>
          <legend>Dans le portail, et aussi</legend>
          <Checkbox
            label="Par e-mail"
            hint={seen.email ?? "Ajoutez une adresse dans votre profil."}
            checked={values.email}
            disabled={seen.email === null}
            onChecked={(email) => set({ email })}
          />
          <Checkbox
            label="Par SMS"
            hint={
              seen.sms === null
                ? "Ajoutez un numéro dans votre profil."
                : `Au numéro qui finit par ${seen.sms.slice(-2)}`
            }
            checked={values.sms}
            disabled={seen.sms === null}
            onChecked={(sms) => set({ sms })}
          />
        </fieldset>
        <ProblemBanner problem={problem} title="L’alerte n’a pas été enregistrée." />
        <FormActions
          submit={alert ? "Enregistrer l’alerte" : "Créer l’alerte"}
          kind="secondary"
          isSending={save.isPending}
        >
          {alert && (
            <Button kind="ghost" icon="trash" onClick={() => save.send(null)}>
              Supprimer l’alerte
            </Button>
          )}
        </FormActions>
      </form>
    </Section>
  );
}
