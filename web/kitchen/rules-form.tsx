// The rules of a canteen: until when, what being late costs, how many seats.
import { api } from "#contract/api.ts";
import type { CanteenRules } from "#contract/kitchen/rules.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox, Select } from "#web/ui/choice.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Text } from "#web/ui/text.tsx";
import {
  DeadlineFields,
  deadlineFault,
  readDeadline,
  type TypedDeadline,
  typedDeadline,
} from "./rules-deadline.tsx";
import { readCount } from "./rules-input.ts";
import styles from "./rules.module.css";

/** The fields as they are typed. */
interface Typed {
  order: TypedDeadline;
  cancel: TypedDeadline;
  lateCancelPercent: string;
  absencePercent: string;
  sickPaidDays: string;
  sickCertificate: boolean;
  maxPerWeek: string;
  seats: string;
  needsValidation: boolean;
}

const typedRules = (rules: CanteenRules): Typed => ({
  order: typedDeadline(rules.orderDeadline),
  cancel: typedDeadline(rules.cancelDeadline),
  lateCancelPercent: String(rules.lateCancelPercent),
  absencePercent: String(rules.absencePercent),
  sickPaidDays: String(rules.sickPaidDays),
  sickCertificate: rules.sickCertificate,
  maxPerWeek: String(rules.maxPerWeek ?? 0),
  seats: String(rules.seats),
  needsValidation: rules.needsValidation,
});

/** The rules that are typed; null while a field is wrong. */
function readRules(typed: Typed): CanteenRules | null {
  const orderDeadline = readDeadline(typed.order);
  const cancelDeadline = readDeadline(typed.cancel);
  const lateCancelPercent = readCount(typed.lateCancelPercent, 0, 100);
  const absencePercent = readCount(typed.absencePercent, 0, 100);
  const seats = readCount(typed.seats, 1, 5000);
  if (!orderDeadline || !cancelDeadline || seats === null) return null;
  if (lateCancelPercent === null || absencePercent === null) return null;
  const { sickCertificate, needsValidation } = typed;
  return {
    orderDeadline,
    cancelDeadline,
    lateCancelPercent,
    absencePercent,
    sickPaidDays: Number(typed.sickPaidDays),
    sickCertificate,
    maxPerWeek: Number(typed.maxPerWeek) || null,
    seats,
    needsValidation,
  };
}

const wrongPercent = "Indiquez un nombre de 0 à 100.";
const faultsOf = (typed: Typed): Faults<Typed> => ({
  order: deadlineFault(typed.order),
  cancel: deadlineFault(typed.cancel),
  lateCancelPercent: readCount(typed.lateCancelPercent, 0, 100) === null && wrongPercent,
  absencePercent: readCount(typed.absencePercent, 0, 100) === null && wrongPercent,
  seats: readCount(typed.seats, 1, 5000) === null && "Indiquez un nombre de 1 à 5 000.",
});

const weekly = Array.from({ length: 8 }, (_, index) => ({
  value: String(index),
  label: index === 0 ? "Sans limite" : `${index} au plus`,
}));

const paidDays = Array.from({ length: 6 }, (_, count) => ({
  value: String(count),
  label: count === 0 ? "Aucun" : count === 1 ? "Le premier jour" : `Les ${count} premiers jours`,
}));

/** `onRules` is called with the typed rules at each change, as long as they are whole. */
export function RulesForm({
  canteen,
  rules,
  onRules,
}: {
  canteen: string;
  rules: CanteenRules;
  onRules: (rules: CanteenRules) => void;
}) {
  const save = useAction(
    (typed: Typed) => call(api.canteen.saveRules, { canteen, rules: readRules(typed) ?? rules }),
    { says: ({ message }) => message },
  );
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    typedRules(rules),
    faultsOf,
    save,
    {
      onValues: (typed) => {
        const whole = readRules(typed);
        if (whole) onRules(whole);
      },
    },
  );
  return (
    <form {...form}>
      <DeadlineFields
        legend="Commander"
        act="Commande possible"
        value={values.order}
        error={errorOf("order")}
        onValue={(order) => set({ order })}
      />
      <DeadlineFields
        legend="Annuler sans frais"
        act="Annulation sans frais"
        value={values.cancel}
        error={errorOf("cancel")}
        onValue={(cancel) => set({ cancel })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Annulation tardive, en % du prix"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          {...field("lateCancelPercent")}
        />
        <TextInput
          label="Absence, en % du prix"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          {...field("absencePercent")}
        />
        <Select label="Repas par semaine et personne" options={weekly} {...field("maxPerWeek")} />
        <Select
          label="Maladie, jours qui restent dus"
          options={paidDays}
          {...field("sickPaidDays")}
        />
        <TextInput
          label="Places par service"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          {...field("seats")}
        />
      </div>
      <Checkbox
        label="Demander un certificat médical"
        hint="Après les jours dus, un enfant malade est remboursé sur certificat. Vous répondez dans Absences."
        checked={values.sickCertificate}
        onChecked={(sickCertificate) => set({ sickCertificate })}
      />
      <Checkbox
        label="Valider chaque commande"
        hint="Une commande attend votre réponse avant de compter."
        checked={values.needsValidation}
        onChecked={(needsValidation) => set({ needsValidation })}
      />
      <Text tone="soft" size="fine">
        Ces règles valent pour les prochaines commandes, celles de la maladie pour les prochaines
        absences. Les repas déjà commandés gardent les leurs.
      </Text>
      <ProblemBanner problem={problem} title="Les règles n’ont pas été enregistrées." />
      <FormActions submit="Enregistrer les règles" isSending={save.isPending} />
    </form>
  );
}
