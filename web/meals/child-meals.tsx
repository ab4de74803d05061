// The meals of a child on their page: where they are registered, what is coming and what was.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRegistration } from "#contract/meals/registrations.ts";
import { dietNames } from "#contract/kitchen/states.ts";
import { registrationStateNames } from "#contract/meals/states.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { providerPath, renewalPath } from "./canteen-paths.ts";
import { MealList } from "./meal-list.tsx";
import { registrationDays } from "./registration-days.ts";
import { registrationTones } from "./registration-tones.ts";
import { type When, WhenChips } from "./when-chips.tsx";
import styles from "./family-meals.module.css";

export function ChildMeals({ cardnumber }: { cardnumber: number }) {
  const answer = useAnswer(api.canteen.registrations, { cardnumber });
  if (answer.isPending) {
    return (
      <Section title="Cantine">
        <Loading label="Chargement de la cantine…">
          <Skeleton lines={2} height="4rem" />
        </Loading>
      </Section>
    );
  }
  if (!answer.data) {
    return <ErrorState title="Les inscriptions n’ont pas pu être lues." answer={answer} />;
  }
  return (
    <>
      <Registered items={answer.data.items} />
      <Meals cardnumber={cardnumber} />
    </>
  );
}

const Registered = ({ items }: { items: readonly CanteenRegistration[] }) => (
  <Section title="Cantine">
    {items.length === 0 ? (
      <EmptyState
        icon="meal"
        title="Pas encore d’inscription"
        action={<ButtonLink href={paths.canteenProviders}>Inscrire à une cantine</ButtonLink>}
      >
        Une fois l’inscription acceptée, les repas se commandent et se suivent d’ici.
      </EmptyState>
    ) : (
      <ul className={styles.lines}>
        {items.map((one) => (
          <li key={one.id}>
            <span className={styles.mealWords}>
              <span className={styles.mealName}>{one.canteen.name}</span>
              <span>{aboutOf(one)}</span>
              {one.reason !== null && (
                <Text as="span" tone="soft" size="small">
                  Motif : {one.reason}
                </Text>
              )}
              {(one.state === "requested" || one.state === "accepted") && (
                <Text as="span" tone="soft" size="small">
                  {registrationDays(one)}
                </Text>
              )}
            </span>
            <Badge tone={registrationTones[one.state]}>{registrationStateNames[one.state]}</Badge>
            {one.canRenew && <ButtonLink href={renewalPath(one)}>Réinscrire</ButtonLink>}
            <ButtonLink href={providerPath(one.provider)}>
              {one.state === "accepted" ? "Commander" : "Voir"}
            </ButtonLink>
          </li>
        ))}
      </ul>
    )}
  </Section>
);

const aboutOf = ({ provider, className, diet, pai }: CanteenRegistration): string =>
  [provider.name, className, dietNames[diet], pai && diet !== "packed" ? "PAI" : ""]
    .filter((word) => word !== "")
    .join(" · ");

function Meals({ cardnumber }: { cardnumber: number }) {
  const [when, setWhen] = useState<When>("coming");
  return (
    <Section
      title="Repas"
      action={
        <ButtonLink icon="calendar" href={paths.meals}>
          Suivi des repas
        </ButtonLink>
      }
    >
      <WhenChips value={when} onValue={setWhen} />
      <MealList key={when} when={when} cardnumber={cardnumber} quiet />
    </Section>
  );
}
