// Meals of a family by day with their states, each cancelled from its line. Used by the dashboard and the
// page of a child.
import { api } from "#contract/api.ts";
import { formatDayInWords, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useTitleRefresh } from "#web/app/shared/use-title-refresh.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { MealLines } from "./meal-lines.tsx";
import styles from "./family-meals.module.css";

/**
 * Meals of the family, or of one card, day by day. `days` shows only the first of them, for a place that
 * leads to the whole list; `quiet` says that there is none in a line, without leading anywhere.
 */
export function MealList({
  when,
  cardnumber,
  days: maxDays,
  quiet = false,
}: {
  when: "coming" | "past";
  cardnumber?: number | undefined;
  days?: number;
  quiet?: boolean;
}) {
  const query = { when, ...(cardnumber !== undefined && { cardnumber }) };
  const list = usePages(api.canteen.orders, query, { by: "after" });
  useTitleRefresh(when === "coming" && list.data);
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des repas…"
        lines={4}
        height="4rem"
        failed="Les repas n’ont pas pu être lus."
      />
    );
  }
  const { items } = list;
  if (items.length === 0 && quiet) {
    return (
      <Text tone="soft" size="small">
        {when === "coming" ? "Aucun repas à venir." : "Aucun repas passé."}
      </Text>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon="meal"
        title={when === "coming" ? "Aucun repas à venir" : "Aucun repas passé"}
        action={<ButtonLink href={paths.canteenProviders}>Voir les cantines</ButtonLink>}
      >
        Les repas que vous commandez paraissent ici, avec leur état.
      </EmptyState>
    );
  }
  const names = items.map(({ name }) => name);
  const days = [...Map.groupBy(items, ({ day }) => day)].slice(0, maxDays);
  return (
    <Stack gap={8}>
      {days.map(([day, some]) => (
        <section key={day} className={styles.orderDay}>
          <h3>{formatDayInWords(day)}</h3>
          <MealLines orders={some} names={names} areComing={when === "coming"} />
        </section>
      ))}
      {maxDays === undefined && (
        <SeeMore
          countLabel={`${plural(items.length, "repas affiché", "repas affichés")}.`}
          next={list.next}
        />
      )}
    </Stack>
  );
}
