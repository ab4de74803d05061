// The tab « Quantités » of the canteen's desk: what is cooked on a day. Read again every 30 seconds; the
// day is in the address, without one the server says which is next.
import { allergenNames } from "#contract/allergies/rows.ts";
import { api } from "#contract/api.ts";
import {
  type DishToCook,
  type Quantities,
  type QuantitiesOfService,
  replacedWords,
} from "#contract/meal-service/quantities.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { audienceNames, courseNames, dietNames } from "#contract/kitchen/states.ts";
import { addDays } from "#contract/days.ts";
import { formatCount, formatDayInWords, formatTime, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { DayFilter } from "#web/ui/day-filter.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./quantities.module.css";

const pollMs = 30_000;

export function QuantitiesTab() {
  const [{ day: dayParam = "" }, change] = useSearchParameters<"canteenDesk">();
  const query = isDay(dayParam) ? { day: dayParam } : {};
  const answer = useAnswer(api.canteen.quantities, query, { pollMs, atOnce: true });
  const { data } = answer;
  const day = query.day ?? data?.day;
  const file = useAction(async (of: string) =>
    save(await call(api.canteen.quantitiesPdf, { day: of })),
  );
  const go = (ahead: number) => day && change({ day: addDays(day, ahead) });
  return (
    <div className={styles.quantities}>
      <div className={styles.head}>
        <IconButton icon="left" label="Jour précédent" onClick={() => go(-1)} />
        <h2 aria-live="polite">{day ? formatDayInWords(day) : "Prochain service"}</h2>
        <IconButton icon="right" label="Jour suivant" onClick={() => go(1)} />
      </div>
      <div className={styles.acts}>
        <DayFilter label="Aller au" value={day} onValue={(to) => to && change({ day: to })} />
        <Button icon="document" disabled={!data} onClick={() => window.print()}>
          Imprimer
        </Button>
        <Button
          icon="download"
          disabled={!day}
          loading={file.isPending}
          onClick={() => day && file.send(day)}
        >
          PDF sans noms
        </Button>
      </div>
      <ProblemBanner problem={file.problem} />
      <Loaded
        answer={answer}
        label="Chargement des quantités…"
        lines={4}
        height="6rem"
        failed="Les quantités n’ont pas pu être chargées."
      >
        {(quantities) => (
          <>
            {answer.isError && (
              <Banner tone="warning" title="Ces quantités ne sont plus mises à jour.">
                Dernière lecture à {formatTime(quantities.now)}. La prochaine se fait d’elle-même.
              </Banner>
            )}
            <OfDay quantities={quantities} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function OfDay({ quantities }: { quantities: Quantities }) {
  const { now, services, dishes, allergens, allergensUnknown } = quantities;
  const served = services.filter(({ closedWhy, meals }) => closedWhy === null || meals > 0);
  if (served.length === 0) {
    return (
      <EmptyState icon="calendar" title="Aucun service ce jour-là.">
        {services[0]?.closedWhy}
      </EmptyState>
    );
  }
  return (
    <>
      <Text tone="soft" size="fine">
        Compté à {formatTime(now)}. Les annulations et les nouvelles commandes changent ces nombres.
      </Text>
      <div className={styles.services}>
        {served.map((service) => (
          <Service key={service.canteen} service={service} />
        ))}
      </div>
      <Section title="Portions par plat">
        {dishes.length > 0 ? (
          <>
            <Text tone="soft" size="fine">
              À remplacer{"\u202f"}: chaque repas compte une fois, avec un régime, une allergie ou
              les deux. Un plat principal sans le label «&nbsp;Végétarien&nbsp;» compte pour chaque
              régime qui n’a pas de plat à lui{"\u202f"}: vous savez s’il contient du porc ou de la
              viande.
            </Text>
            <Table
              caption="Portions par plat"
              columns={dishColumns}
              rows={dishes}
              keyOf={({ course, name }) => `${course}${name}`}
            />
          </>
        ) : (
          <EmptyState
            icon="meal"
            title="Aucun menu n’est écrit pour ce jour."
            action={<ButtonLink href={paths.canteenDesk}>Écrire les menus</ButtonLink>}
          />
        )}
      </Section>
      <Section title="Allergènes déclarés">
        {allergens.length > 0 && (
          <Text tone="soft" size="fine">
            Les noms ne sont pas imprimés.
          </Text>
        )}
        {allergens.length === 0 && <p>Aucun pour les repas de ce jour.</p>}
        <ul className={styles.allergens}>
          {allergens.map(({ allergen, people }) => (
            <li key={allergen}>
              <strong>
                {allergenNames[allergen]}
                {"\u202f"}: {plural(people.length, "repas", "repas")}
              </strong>
              <span className={styles.names}>
                {people
                  .map(({ name, className, canteen }) => `${name} (${className || canteen})`)
                  .join(", ")}
              </span>
            </li>
          ))}
        </ul>
        {allergensUnknown > 0 && (
          <Text tone="soft" size="fine">
            Pour {plural(allergensUnknown, "repas", "repas")}, la famille ne communique pas
            d’allergène à la cantine.
          </Text>
        )}
      </Section>
    </>
  );
}

function Service({ service }: { service: QuantitiesOfService }) {
  const { name, servesFrom, servesUntil, closedWhy, meals, packed, pai } = service;
  const { classes, audiences, diets, waiting, walkIns, walkInMargin, portions } = service;
  const special = diets.filter(({ diet }) => diet !== "standard");
  const pairs: [string, string][] = [
    ...classes.map((one): [string, string] => [
      one.className || "Sans classe",
      formatCount(one.meals),
    ]),
    ["Repas commandés", formatCount(meals)],
    ...audiences
      .filter(({ audience }) => audience !== "pupil")
      .map((one): [string, string] => [
        `dont ${audienceNames[one.audience].toLowerCase()}`,
        formatCount(one.meals),
      ]),
    ...special.map((one): [string, string] => [
      `dont ${dietNames[one.diet].replace(/^./, (first) => first.toLowerCase())}`,
      formatCount(one.meals),
    ]),
    ...(pai > 0 ? [["dont avec un PAI", formatCount(pai)] as [string, string]] : []),
    ...(waiting > 0 ? [["En attente d’une place", formatCount(waiting)] as [string, string]] : []),
    [
      walkIns > 0
        ? `Sans commande (${plural(walkIns, "déjà passé", "déjà passés")})`
        : "Marge sans commande",
      `+ ${formatCount(walkInMargin)}`,
    ],
  ];
  return (
    <section className={styles.service} aria-label={name}>
      <header>
        <h3>{name}</h3>
        <Text as="span" tone="soft" size="fine">
          {servesFrom}–{servesUntil}
        </Text>
      </header>
      {closedWhy && (
        <Text tone="soft" size="fine">
          Fermé{"\u202f"}: {closedWhy}.
        </Text>
      )}
      <p className={styles.portions}>
        <strong>{formatCount(portions)}</strong> {portions > 1 ? "portions" : "portion"} à cuisiner
      </p>
      {packed > 0 && (
        <Text tone="soft" size="fine">
          {plural(
            packed,
            "panier-repas apporté n’est pas compté",
            "paniers-repas apportés ne sont pas comptés",
          )}
          .
        </Text>
      )}
      <DefinitionList items={pairs.map(([label, value]) => ({ label, value }))} />
    </section>
  );
}

const dishColumns: readonly Column<DishToCook>[] = [
  {
    key: "name",
    label: "Plat",
    place: "title",
    cell: ({ course, name, diets }) => (
      <>
        <Text as="span" tone="soft" size="fine">
          {courseNames[course]}
        </Text>{" "}
        {name}
        {diets.length > 0 && (
          <Text as="span" tone="soft" size="fine">
            {" "}
            ({dietWords({ diets })})
          </Text>
        )}
      </>
    ),
  },
  {
    key: "portions",
    label: "Portions",
    align: "end",
    place: "end",
    cell: ({ portions }) => <strong>{formatCount(portions)}</strong>,
  },
  {
    key: "replace",
    label: "À remplacer",
    cell: (dish) => {
      const words = replacedWords(dish);
      if (words === "") return "—";
      return (
        <span>
          {dish.toReplace > 0 && (
            <>
              <strong>{formatCount(dish.toReplace)}</strong>
              {"\u202f"}:{" "}
            </>
          )}
          <Text as="span" tone="soft" size="fine">
            {words}
          </Text>
        </span>
      );
    },
  },
];
