// « Bus »: one's favourite stops, the lines of the network by group, a search of lines and stops; then
// the line or the stop that the address names (spec §2 Abonnement/ligne).
import { useDeferredValue, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate, plural } from "#contract/french.ts";
import type { LineGroup, TransitLine, TransitStop } from "#contract/transit/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { numberIn, useSearchParameters } from "#web/app/shared/search.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { EmptyState, ErrorState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { linePath, passesPath, stopPath } from "./address.ts";
import { FavouriteStops } from "./favourite-stops.tsx";
import { LineMark, LineMarks } from "./line-mark.tsx";
import { LineView } from "./line-view.tsx";
import { pollMs } from "./next-times.tsx";
import { usePassesOnSale } from "./use-passes-on-sale.ts";
import { StopView } from "./stop-view.tsx";
import styles from "./transit.module.css";

export function LinesPage() {
  const [search] = useSearchParameters<"lines">();
  const [line, stop] = [numberIn(search.line), numberIn(search.stop)];
  const direction = search.direction === "1" ? 1 : 0;
  const viewKey = `${line}/${stop}`;
  const [first] = useState(viewKey);
  // From one view to another of this screen, one starts again at its top.
  useEffect(() => {
    if (viewKey !== first) globalThis.scrollTo({ top: 0, behavior: "instant" });
  }, [viewKey, first]);
  if (stop !== null)
    return <StopView key={viewKey} stop={stop} line={line} direction={direction} />;
  if (line !== null) return <LineView key={viewKey} id={line} direction={direction} />;
  return <Network />;
}

function Network() {
  const [search, change] = useSearchParameters<"lines">();
  const query = (search.q ?? "").slice(0, 60).trim();
  const [typed, setTyped] = useSearchText(query, (q) => change({ q }));
  return (
    <Page>
      <PageHeader title="Bus" lead="Les lignes, leurs arrêts et les prochains départs." />
      <search>
        <TextInput
          label="Chercher un arrêt ou une ligne"
          hint="Par exemple «&nbsp;gare&nbsp;», «&nbsp;hôpital&nbsp;» ou «&nbsp;2&nbsp;»."
          type="search"
          required={false}
          maxLength={60}
          enterKeyHint="search"
          autoComplete="off"
          value={typed}
          onValue={setTyped}
        />
      </search>
      <Found q={query} onClear={() => change({ q: undefined })} />
    </Page>
  );
}

function Found({ q, onClear }: { q: string; onClear: () => void }) {
  const deferred = useDeferredValue(q);
  const list = usePages(api.transit.lines, deferred ? { q: deferred } : {}, { by: "after" });
  const stops = useAnswer(api.transit.stops, { q: deferred }, { enabled: deferred !== "" });
  const groups = useAnswer(api.transit.groups, {});
  const favourites = useAnswer(api.transit.favourites, {}, { pollMs });
  const error = list.error ?? (deferred ? stops.error : null) ?? groups.error;
  // The favourites stand above the lines: these wait, so that nothing moves.
  const waiting =
    !list.data || !groups.data || favourites.isPending || (deferred !== "" && !stops.data);
  if (waiting) {
    const again = () =>
      void Promise.all([list.refetch(), groups.refetch(), deferred && stops.refetch()]);
    return (
      <NotLoaded
        answer={{
          data: undefined,
          error,
          isFetching: list.isFetching || groups.isFetching || stops.isFetching,
          refetch: again,
        }}
        label="Chargement des lignes…"
        lines={6}
        height="4.5rem"
        failed="Les lignes n’ont pas pu être chargées."
      />
    );
  }
  const { items: lines } = list;
  if (deferred) return <Results lines={lines} stops={stops.data?.items ?? []} onClear={onClear} />;
  if (lines.length === 0) {
    return (
      <EmptyState icon="bus" title="Les lignes ne sont pas encore publiées">
        Elles apparaîtront ici dès que le réseau aura donné ses horaires.
      </EmptyState>
    );
  }
  return (
    <>
      {favourites.data && (
        <FavouriteStops answer={favourites.data} readAt={favourites.dataUpdatedAt} />
      )}
      {favourites.isError && !favourites.data && (
        <ErrorState title="Vos arrêts favoris n’ont pas pu être chargés." answer={favourites} />
      )}
      {groups.data.items.map((group) => (
        <Group key={group.id} group={group} lines={lines.filter((one) => one.group === group.id)} />
      ))}
      {list.next.exists && (
        <SeeMore
          countLabel={`${plural(lines.length, "ligne affichée", "lignes affichées")}.`}
          next={list.next}
        />
      )}
      <Known until={list.first?.knownUntil ?? null} />
    </>
  );
}

const Known = ({ until }: { until: string | null }) =>
  until && (
    <Text tone="soft" size="fine">
      Horaires connus jusqu’au {formatDate(until)}.
    </Text>
  );

function Group({ group, lines }: { group: LineGroup; lines: readonly TransitLine[] }) {
  const sold = usePassesOnSale();
  if (lines.length === 0) return null;
  return (
    <Section
      title={group.name}
      action={
        sold(group.id) && (
          <ButtonLink size="small" icon="ticket" href={passesPath(group.id)}>
            Acheter un abonnement
          </ButtonLink>
        )
      }
    >
      <Lines lines={lines} />
    </Section>
  );
}

const Lines = ({ lines }: { lines: readonly TransitLine[] }) => (
  <DividedList>
    {lines.map((line) => (
      <li key={line.id}>
        <Link className={styles.lineLink} href={linePath(line.id)}>
          <LineMark line={line} />
          <span className={styles.lineEnds}>
            <span>{line.from}</span>
            <span className="unseen"> – </span>
            <span>{line.to}</span>
          </span>
          <Icon name="right" size={20} />
        </Link>
      </li>
    ))}
  </DividedList>
);

function Results({
  lines,
  stops,
  onClear,
}: {
  lines: readonly TransitLine[];
  stops: readonly TransitStop[];
  onClear: () => void;
}) {
  const none = lines.length + stops.length === 0;
  return (
    <>
      <output className="unseen">
        {plural(stops.length, "arrêt trouvé", "arrêts trouvés")},{" "}
        {plural(lines.length, "ligne trouvée", "lignes trouvées")}.
      </output>
      {none && (
        <EmptyState
          icon="search"
          title="Aucun arrêt ni aucune ligne de ce nom"
          action={<Button onClick={onClear}>Voir toutes les lignes</Button>}
        >
          Vérifiez l’orthographe, ou essayez avec un seul mot du nom de l’arrêt.
        </EmptyState>
      )}
      {stops.length > 0 && (
        <Section title="Arrêts">
          <DividedList>
            {stops.map((stop) => (
              <li key={stop.id}>
                <Link className={styles.lineLink} href={stopPath(stop.id)}>
                  <Icon name="pin" size={24} />
                  <span className={styles.stopWords}>
                    <span className={styles.stopName}>{stop.name}</span>
                    <LineMarks lines={stop.lines} />
                  </span>
                  <Icon name="right" size={20} />
                </Link>
              </li>
            ))}
          </DividedList>
        </Section>
      )}
      {lines.length > 0 && (
        <Section title="Lignes">
          <Lines lines={lines} />
        </Section>
      )}
    </>
  );
}
