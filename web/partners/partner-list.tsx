// The list of partners that a search finds, page after page, beside a map of where they are.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { plural, thin } from "#contract/french.ts";
import type { PartnerLine } from "#contract/partners/rows.ts";
import { keyOf, showing } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { EmptyState, Loaded, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { type Filters, isFiltered, sheetPath, useDirectoryPath } from "./filters.ts";
import { distanceText, untilText } from "./place-words.ts";
import { countPlaces, PlacesLegend, PlacesMap, placesLabel } from "./places-map.tsx";
import { Plan } from "#web/app/shared/plan.tsx";
import { PlanWait } from "#web/app/shared/plan-mark.tsx";
import type { Position } from "#web/app/shared/position.ts";
import { kindIcons } from "./words.ts";
import styles from "./directory.module.css";

const minute = 60_000;

export function PartnerList({
  filters,
  position,
  onPlan,
  onClear,
}: {
  filters: Filters;
  position: Position | null;
  /** The list or the map, where there is room for one. */
  onPlan: (plan: boolean) => void;
  onClear: () => void;
}) {
  const list = usePartners(filters, position);
  const { items: rows, first } = list;
  const base = useDirectoryPath();
  const sheetOf = (id: string) => sheetPath(base, filters, id);
  if (!first) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des partenaires…"
        lines={6}
        height="8rem"
        failed="L’annuaire n’a pas pu être chargé."
      />
    );
  }
  return (
    <div
      className={styles.directory}
      aria-busy={list.isPlaceholderData || undefined}
      data-view={filters.plan && rows.length > 0 ? "plan" : "list"}
    >
      <div className={styles.directoryList}>
        {rows.length > 0 && (
          <div className={styles.directoryView}>
            <Chips
              label="Affichage"
              options={[
                { value: "list", label: "Liste" },
                { value: "plan", label: "Plan" },
              ]}
              value={[filters.plan ? "plan" : "list"]}
              onValue={(view) => onPlan(view === "plan")}
            />
          </div>
        )}
        <Text as="output" tone="soft" size="fine">
          {countText(first.total, filters, position, first.around)}
        </Text>
        {rows.length === 0 ? (
          <Nothing filtered={isFiltered(filters)} open={filters.open} onClear={onClear} />
        ) : (
          <ul className={styles.partners}>
            {rows.map((one) => (
              <li key={one.id}>
                <Line one={one} href={sheetOf(one.id)} />
              </li>
            ))}
          </ul>
        )}
        {rows.length > 0 && (
          <SeeMore countLabel={`${rows.length} sur ${first.total}`} next={list.next} />
        )}
      </div>
      {rows.length > 0 && (
        <div className={styles.directoryPlan}>
          <Section title="Plan">
            <DirectoryMap filters={filters} position={position} hrefOf={sheetOf} />
          </Section>
        </div>
      )}
    </div>
  );
}

/** The map shows all that are found, whichever of them the list shows. */
function DirectoryMap({
  filters,
  position,
  hrefOf,
}: {
  filters: Filters;
  position: Position | null;
  hrefOf: (id: string) => string;
}) {
  const query = toQuery(filters);
  const places = useQuery({
    queryKey: keyOf(api.partners.places, query),
    queryFn: ({ signal }) => call(api.partners.places, query, { signal }),
    ...showing(api.partners.places),
    placeholderData: keepPreviousData,
    staleTime: minute,
  });
  return (
    <Loaded
      answer={places}
      label="Chargement du plan…"
      skeleton={<PlanWait />}
      failed="Le plan n’a pas pu être chargé."
    >
      {({ items }) => {
        const found = items.map((place) => ({
          ...place,
          href: hrefOf(place.id),
          state: place.open ? "ouvert" : "fermé",
        }));
        return (
          <Plan
            label={placesLabel(found)}
            places={found}
            countOf={countPlaces}
            here={position}
            legend={<PlacesLegend withHere={position !== null} />}
            own={<PlacesMap places={found} position={position} />}
          />
        );
      }}
    </Loaded>
  );
}

const toQuery = ({ q, category, group, open }: Filters) => ({
  q,
  category,
  idgroup: group === undefined ? undefined : Number(group),
  open: open ? ("true" as const) : undefined,
});

function usePartners(filters: Filters, position: Position | null) {
  const query = {
    ...toQuery(filters),
    ...(position ? { lat: position.lat, lon: position.lon } : { around: filters.around }),
  };
  // What is open changes by the minute.
  return usePages(api.partners.list, query, { by: "page", keep: true, staleMs: minute });
}

function countText(
  total: number,
  { around }: Filters,
  position: Position | null,
  understood: string | null,
): string {
  const found = total === 0 ? "Aucun partenaire" : plural(total, "partenaire");
  if (position) return `${found}, du plus proche au plus loin de vous`;
  if (understood) return `${found}, du plus proche au plus loin de ${understood}`;
  if (around) {
    return `${found}. «\u00a0${around}\u00a0» n’est pas une commune de l’annuaire${thin}: la liste n’est pas triée par distance.`;
  }
  return found;
}

const Nothing = ({
  filtered,
  open,
  onClear,
}: {
  filtered: boolean;
  open: boolean | undefined;
  onClear: () => void;
}) => (
  <EmptyState
    icon="search"
    title={filtered ? "Rien ne correspond à votre recherche" : "L’annuaire est encore vide"}
    action={filtered && <Button onClick={onClear}>Voir tout l’annuaire</Button>}
  >
    {open
      ? "Aucun de ces lieux n’est ouvert à cette heure. Retirez «\u00a0Ouvert maintenant\u00a0» pour voir les autres."
      : filtered
        ? "Essayez avec un autre mot, par exemple «\u00a0librairie\u00a0» ou «\u00a0piscine\u00a0»."
        : "Les partenaires de la carte s’afficheront ici."}
  </EmptyState>
);

function Line({ one, href }: { one: PartnerLine; href: string }) {
  return (
    <article className={styles.partner}>
      <IconTile icon={kindIcons[one.category.top] ?? "pin"} />
      <div className={styles.partnerText}>
        <h2 className={styles.partnerName}>
          <Link href={href}>{one.name}</Link>
        </h2>
        <Text tone="soft" size="fine">
          {one.category.name} · {one.town}
          {one.metres !== null && ` · ${distanceText(one.metres)}`}
        </Text>
        <p>{one.summary}</p>
        <p className={styles.partnerFacts}>
          <Badge tone={one.opening.open ? "success" : "neutral"} icon="clock">
            {one.opening.open ? "Ouvert" : "Fermé"}
          </Badge>
          <span>{untilText(one.opening)}</span>
        </p>
        {one.gives.length > 0 && (
          <ul className={styles.partnerGives} aria-label="Ce que la carte vous donne">
            {one.gives.map((title) => (
              <li key={title}>
                <Icon name="gift" size={16} />
                {title}
              </li>
            ))}
          </ul>
        )}
      </div>
    </article>
  );
}
