// The registrations of the family at a provider's canteens, and asking for one.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRegistration } from "#contract/canteen/registrations.ts";
import type { Output } from "#contract/endpoint.ts";
import { type Diet, dietNames, diets, registrationStateNames } from "#contract/canteen/states.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useOwnCards } from "#web/app/own-cards.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Select } from "#web/ui/choice.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Section } from "#web/ui/layout.tsx";
import { notify } from "#web/ui/toast.tsx";
import { registrationTones } from "./registration-tones.ts";
import styles from "./family-meals.module.css";

type Canteen = Output<typeof api.canteen.provider>["canteens"][number];

export function Registrations({
  registrations,
  canteens,
}: {
  registrations: readonly CanteenRegistration[];
  canteens: readonly Canteen[];
}) {
  const [asking, setAsking] = useState(false);
  const [ending, setEnding] = useState<CanteenRegistration | null>(null);
  return (
    <Section
      title="Inscriptions"
      action={
        <Button icon="plus" onClick={() => setAsking(true)}>
          Inscrire
        </Button>
      }
    >
      {registrations.length === 0 && (
        <p>Inscrivez un enfant ou vous-même pour commander des repas.</p>
      )}
      <ul className={styles.lines}>
        {registrations.map((one) => (
          <li key={one.id}>
            <span className={styles.mealWords}>
              <span className={styles.mealName}>{one.name}</span>
              <span>
                {one.canteen.name}
                {one.className !== "" && `, ${one.className}`} · {dietNames[one.diet]}
              </span>
              {one.reason !== null && <span className={styles.quiet}>Motif : {one.reason}</span>}
            </span>
            <Badge tone={registrationTones[one.state]}>{registrationStateNames[one.state]}</Badge>
            {(one.state === "requested" || one.state === "accepted") && (
              <Button size="small" onClick={() => setEnding(one)}>
                {one.state === "requested" ? "Retirer" : "Désinscrire"}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asking && <RegistrationForm canteens={canteens} onClose={() => setAsking(false)} />}
      {ending && <EndRegistration registration={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

interface Typed {
  canteen: string;
  cardnumber: string;
  className: string;
  diet: Diet;
  pai: boolean;
  shareAllergens: boolean;
  sharePhoto: boolean;
}

function RegistrationForm({
  canteens,
  onClose,
}: {
  canteens: readonly Canteen[];
  onClose: () => void;
}) {
  const { cards } = useOwnCards({ without: ["opposed", "replaced"] });
  const ask = useMutation<unknown, ApiProblem, Typed>({
    mutationFn: (values) =>
      call(api.canteen.register, { ...values, cardnumber: Number(values.cardnumber) }),
    onSuccess: async () => {
      notify({ text: "Demande d’inscription envoyée.", kind: "success" });
      onClose();
      await readAgain(api.canteen.provider, api.canteen.providers, api.canteen.registrations);
    },
  });
  const { values, set, field, problem, form } = useForm<Typed>(
    {
      canteen: canteens[0]?.id ?? "",
      cardnumber: "",
      className: "",
      diet: "standard",
      pai: false,
      shareAllergens: false,
      sharePhoto: false,
    },
    (now) => ({
      cardnumber: now.cardnumber === "" && "Choisissez une personne.",
      className:
        (canteens.find(({ id }) => id === now.canteen)?.classes.length ?? 0) > 0 &&
        now.className === "" &&
        "Choisissez une classe.",
    }),
    ask,
    { problemFields: { meal_class_unknown: "className", meal_registered: "cardnumber" } },
  );
  const canteen = canteens.find(({ id }) => id === values.canteen);
  const choice = (name: "pai" | "shareAllergens" | "sharePhoto") => ({
    checked: values[name],
    onChecked: (checked: boolean) => set({ [name]: checked }),
  });
  return (
    <Dialog open onClose={onClose} title="Inscrire à la cantine">
      <form {...form}>
        <Select
          label="Qui"
          options={[
            { value: "", label: "Choisir…" },
            ...(cards ?? []).map(({ cardnumber, name }) => ({
              value: String(cardnumber),
              label: name,
            })),
          ]}
          {...field("cardnumber")}
        />
        <Select
          label="Cantine"
          options={canteens.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.canteen}
          onValue={(id) => set({ canteen: id, className: "" })}
        />
        {canteen && canteen.classes.length > 0 && (
          <Select
            label="Classe"
            options={[
              { value: "", label: "Choisir…" },
              ...canteen.classes.map((name) => ({ value: name, label: name })),
            ]}
            {...field("className")}
          />
        )}
        <Select<Diet>
          label="Régime"
          options={diets.map((value) => ({ value, label: dietNames[value] }))}
          {...field("diet")}
        />
        <Checkbox
          label="Un projet d’accueil individualisé (PAI) existe"
          hint="La cuisine prendra contact avec vous."
          {...choice("pai")}
        />
        <Checkbox
          label="La cantine voit les allergènes déclarés"
          hint="Pour préparer le repas et avertir au service. Vous pouvez retirer cet accord en mettant fin à l’inscription."
          {...choice("shareAllergens")}
        />
        <Checkbox
          label="La cantine voit la photo"
          hint="Pour reconnaître l’enfant au service."
          {...choice("sharePhoto")}
        />
        <ProblemBanner problem={problem} />
        <FormActions submit="Demander l’inscription" isSending={ask.isPending} />
      </form>
    </Dialog>
  );
}

function EndRegistration({
  registration,
  onClose,
}: {
  registration: CanteenRegistration;
  onClose: () => void;
}) {
  const waits = registration.state === "requested";
  const end = useMutation<unknown, ApiProblem>({
    mutationFn: () => call(api.canteen.endRegistration, { registration: registration.id }),
    onSuccess: async () => {
      notify({ text: waits ? "Demande retirée." : "Inscription terminée.", kind: "success" });
      onClose();
      await readAgain(
        api.canteen.provider,
        api.canteen.providers,
        api.canteen.registrations,
        api.canteen.week,
      );
    },
  });
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={waits ? "Retirer la demande\u202f?" : "Mettre fin à l’inscription\u202f?"}
      confirm={waits ? "Retirer la demande" : "Désinscrire"}
      cancel="Ne rien changer"
      danger
      loading={end.isPending}
      onConfirm={() => end.mutate()}
    >
      <p>
        {registration.name}, {registration.canteen.name}.
      </p>
      <ProblemBanner problem={end.error} />
    </AlertDialog>
  );
}
