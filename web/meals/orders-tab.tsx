// « Commandes » on the dashboard: the next meals of the family, and until when the next one is ordered.
import { nextOrder } from "#contract/meals/cancel-words.ts";
import { api } from "#contract/api.ts";
import type { CanteenProvider } from "#contract/meals/registrations.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { providerPath } from "./canteen-paths.ts";
import { MealList } from "./meal-list.tsx";
import styles from "./family-meals.module.css";

const daysShown = 5;

export function OrdersTab({ user }: { user: CurrentUser }) {
  const answer = useAnswer(api.canteen.providers, {});
  const acting = user.previousCardnumber > 0;
  if (!answer.data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des repas…"
        lines={4}
        height="3.25rem"
        failed="Les cantines n’ont pas pu être lues."
      />
    );
  }
  const known = answer.data.items.filter(({ people }) => people.length > 0);
  if (known.length === 0) {
    return (
      <EmptyState
        icon="meal"
        title="Personne n’est inscrit à la cantine"
        action={<ButtonLink href={paths.canteenProviders}>Voir les cantines</ButtonLink>}
      >
        Les repas de votre famille paraîtront ici, avec l’heure limite pour commander.
      </EmptyState>
    );
  }
  return (
    <Stack gap={20}>
      <ul className={styles.lines}>
        {known.map((provider) => (
          <Deadline key={provider.idgroup} provider={provider} />
        ))}
      </ul>
      <MealList
        when="coming"
        cardnumber={acting ? user.cardnumber : undefined}
        days={daysShown}
        quiet
      />
      <Actions>
        <ButtonLink icon="calendar" href={paths.meals}>
          Suivi des repas
        </ButtonLink>
      </Actions>
    </Stack>
  );
}

const Deadline = ({ provider }: { provider: CanteenProvider }) => (
  <li>
    <span className={styles.mealWords}>
      <span className={styles.mealName}>{provider.name}</span>
      <Text as="span" tone="soft" size="small">
        {provider.orderUntil
          ? nextOrder(provider.orderUntil)
          : "Aucun repas à commander pour l’instant"}
      </Text>
    </span>
    <ButtonLink
      icon="meal"
      href={providerPath(provider)}
      aria-label={`Commander, ${provider.name}`}
    >
      Commander
    </ButtonLink>
  </li>
);
