// The registrations of the family at a provider's canteens, and asking for one.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRegistration, RegistrationBar } from "#contract/meals/registrations.ts";
import type { Output } from "#contract/endpoint.ts";
import { type Diet, dietNames, diets } from "#contract/kitchen/states.ts";
import { registrationStateNames } from "#contract/meals/states.ts";
import { canteen as limits } from "#contract/limits.ts";
import { firstName, formatDate } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import { registrationDays } from "./registration-days.ts";
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
  // A reminder leads here to ask for the next school year.
  const [search, change] = useSearchParameters<"canteenProvider">();
  const renewed = registrations.find((one) => one.canRenew && one.id === search.renew);
  const [asking, setAsking] = useState(false);
  const renew = ({ id }: CanteenRegistration) => change({ renew: id });
  const [ending, setEnding] = useState<CanteenRegistration | null>(null);
  const accepted = registrations.filter(({ state }) => state === "accepted");
  // Nothing waits for the family: a line says it.
  const isSettled =
    accepted.length > 0 &&
    registrations.every(
      ({ state, canRenew }) => !canRenew && (state === "accepted" || state === "ended"),
    );
  const names = accepted.map(({ name }) => firstName(name));
  const list = (
    <ul className={styles.lines}>
      {registrations.map((one) => (
        <li key={one.id}>
          <span className={styles.mealWords}>
            <span className={styles.mealName}>{one.name}</span>
            <span>
              {one.canteen.name}
              {one.className !== "" && `, ${one.className}`} · {dietNames[one.diet]}
            </span>
            {isOpen(one) && (
              <Text as="span" tone="soft" size="small">
                {registrationDays(one)}
              </Text>
            )}
            {one.reason !== null && (
              <Text as="span" tone="soft" size="small">
                Motif : {one.reason}
              </Text>
            )}
          </span>
          <Badge tone={registrationTones[one.state]}>{registrationStateNames[one.state]}</Badge>
          {one.canRenew && (
            <Button size="small" aria-haspopup="dialog" onClick={() => renew(one)}>
              Réinscrire<span className="unseen"> {one.name}</span>
            </Button>
          )}
          {isOpen(one) && (
            <Button size="small" onClick={() => setEnding(one)}>
              {one.state === "requested" ? "Retirer" : "Désinscrire"}
              <span className="unseen"> {one.name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
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
      {isSettled ? (
        <details className={styles.more}>
          <summary>Inscriptions acceptées&#8239;: {[...new Set(names)].join(", ")}</summary>
          {list}
        </details>
      ) : (
        list
      )}
      {asking && <RegistrationForm canteens={canteens} onClose={() => setAsking(false)} />}
      {renewed && (
        <RegistrationForm
          key={renewed.id}
          canteens={canteens}
          renewed={renewed}
          onClose={() => change({ renew: undefined })}
        />
      )}
      {ending && <EndRegistration registration={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

const isOpen = ({ state }: CanteenRegistration) => state === "requested" || state === "accepted";

interface Typed {
  canteen: string;
  cardnumber: string;
  className: string;
  diet: Diet;
  pai: boolean;
  shareAllergens: boolean;
  sharePhoto: boolean;
}

const barWords: Readonly<Record<RegistrationBar["why"], string>> = {
  not_pupil: `élèves seulement, jusqu’à ${limits.oldestPupil} ans`,
  registered: "inscription déjà faite ou demandée",
  minor: "un responsable en fait la demande",
};

const isBarred = (canteens: readonly Canteen[], { canteen, cardnumber }: Typed): boolean =>
  canteens
    .find(({ id }) => id === canteen)
    ?.barred.some((one) => String(one.cardnumber) === cardnumber) ?? false;

function RegistrationForm({
  canteens,
  renewed,
  onClose,
}: {
  canteens: readonly Canteen[];
  /** The registration that the one asked for follows: all but the class is as it was. */
  renewed?: CanteenRegistration;
  onClose: () => void;
}) {
  const { cards } = useOwnCards({ without: ["replaced"] });
  const ask = useAction(
    (typed: Typed) =>
      call(api.canteen.register, { ...typed, cardnumber: Number(typed.cardnumber) }),
    { says: "Demande d’inscription envoyée.", onDone: onClose },
  );
  const { values, set, field, problem, form } = useForm<Typed>(
    {
      canteen: renewed?.canteen.id ?? canteens[0]?.id ?? "",
      cardnumber: String(renewed?.cardnumber ?? ""),
      className: "",
      diet: renewed?.diet ?? "standard",
      pai: renewed?.pai ?? false,
      shareAllergens: renewed?.allergensShared ?? false,
      sharePhoto: renewed?.photoShared ?? false,
    },
    (now) => ({
      cardnumber:
        now.cardnumber === ""
          ? "Choisissez une personne."
          : isBarred(canteens, now) && "Choisissez une autre personne.",
      className:
        (canteens.find(({ id }) => id === now.canteen)?.classes.length ?? 0) > 0 &&
        now.className === "" &&
        "Choisissez une classe.",
    }),
    ask,
    {
      problemFields: {
        meal_class_unknown: "className",
        meal_registered: "cardnumber",
        meal_not_pupil: "cardnumber",
      },
    },
  );
  const canteen = canteens.find(({ id }) => id === values.canteen);
  const choice = (name: "pai" | "shareAllergens" | "sharePhoto") => ({
    checked: values[name],
    onChecked: (checked: boolean) => set({ [name]: checked }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={renewed ? `Réinscrire ${firstName(renewed.name)}` : "Inscrire à la cantine"}
    >
      <form {...form}>
        {renewed?.untilOn && (
          <Text tone="soft" size="small">
            {isOpen(renewed)
              ? `L’inscription compte jusqu’au ${formatDate(renewed.untilOn)} : la nouvelle commence le lendemain, une fois acceptée.`
              : `L’inscription s’est terminée le ${formatDate(renewed.untilOn)}.`}{" "}
            Vérifiez chaque réponse.
          </Text>
        )}
        <Select
          label="Qui"
          options={[
            { value: "", label: "Choisir…" },
            ...(cards ?? []).map(({ cardnumber, name }) => {
              const why = canteen?.barred.find((one) => one.cardnumber === cardnumber)?.why;
              return {
                value: String(cardnumber),
                label: why ? `${name} (${barWords[why]})` : name,
                disabled: why !== undefined,
              };
            }),
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
  const end = useAction(
    () => call(api.canteen.endRegistration, { registration: registration.id }),
    {
      says: waits ? "Demande retirée." : "Inscription terminée.",
    },
  );
  return (
    <ConfirmAction
      act={end}
      onClose={onClose}
      title={waits ? "Retirer la demande\u202f?" : "Mettre fin à l’inscription\u202f?"}
      confirm={waits ? "Retirer la demande" : "Désinscrire"}
      cancel="Ne rien changer"
      danger
    >
      <p>
        {registration.name}, {registration.canteen.name}.
      </p>
    </ConfirmAction>
  );
}
