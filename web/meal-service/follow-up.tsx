// The follow-up of one canteen: chips, filters, the table with its selection, and its actions.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { MealsActionResult, FollowedMeal } from "#contract/meal-service/follow-up.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { plural } from "#contract/french.ts";
import { canteen as limits, lists } from "#contract/limits.ts";
import type { SearchOf } from "#contract/searches.ts";
import { keyOf, showing } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Pagination } from "#web/ui/pagination.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Table } from "#web/ui/table.tsx";
import { FollowUpActs } from "./follow-up-actions.tsx";
import { columnsOf } from "./follow-up-columns.tsx";
import { filtersOf, FollowUpFilters, StateChips } from "./follow-up-filters.tsx";
import styles from "./follow-up.module.css";
import { StoppedMeals } from "./stopped-meals.tsx";

export function FollowUp({ canteen }: { canteen: OwnCanteen }) {
  const [search, change] = useSearchParameters<"canteenFollowUp">();
  const filters = filtersOf(search, canteen);
  const query = { canteen: canteen.id, ...filters };
  const number = (value: string | undefined) =>
    value && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
  const before = number(search.before);
  const after = before === undefined ? number(search.after) : undefined;
  // Other filters begin at the first page.
  const filter = (changes: SearchOf<"canteenFollowUp">) =>
    change({ before: undefined, after: undefined, ...changes });
  const paged = {
    ...query,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    limit: lists.defaultLimit,
  };
  const list = useQuery({
    queryKey: keyOf(api.canteen.followUp, paged),
    queryFn: ({ signal }) => call(api.canteen.followUp, paged, { signal }),
    ...showing(api.canteen.followUp),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const rows = list.data?.items ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Meals that left the list, by a filter or by another device, are acted upon no more.
  const selected = rows.filter(({ id }) => chosen.has(id));
  const bar = useRef<HTMLDivElement>(null);
  // Meals that were acted upon are selected no more: the button is greyed out, and the keyboard begins again.
  const [stopped, setStopped] = useState<MealsActionResult["stopped"]>([]);
  const onDone = (left: MealsActionResult["stopped"]) => {
    setStopped(left);
    setChosen(new Set(left.map(({ order }) => order)));
    bar.current?.querySelector("input")?.focus({ preventScroll: true });
  };
  const choose = (id: string, isChosen: boolean) => {
    const changed = new Set(chosen);
    if (isChosen) changed.add(id);
    else changed.delete(id);
    setChosen(changed);
  };
  const columns = columnsOf({
    isChosen: (id) => chosen.has(id),
    onChosen: choose,
    severalDays: filters.from !== filters.to,
    hasClasses: canteen.classes.length > 0,
  });
  const isFiltered = Boolean(filters.state ?? filters.className ?? filters.name);
  return (
    <Section>
      <FollowUpFilters canteen={canteen} filters={filters} onChange={filter} />
      <StateChips
        counts={list.data?.counts ?? []}
        state={filters.state}
        onState={(state) => filter({ state })}
      />
      {list.isPending && (
        <Loading label="Chargement des repas…">
          <Skeleton lines={8} height="3.25rem" />
        </Loading>
      )}
      {list.isError && rows.length === 0 && (
        <ErrorState title="Les repas n’ont pas pu être chargés." answer={list} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <Nothing
          filtered={isFiltered}
          onClear={() => filter({ state: undefined, className: undefined, name: undefined })}
        />
      )}
      {rows.length > 0 && (
        <div className={styles.list} aria-busy={list.isPlaceholderData || undefined}>
          <div ref={bar} className={styles.bar}>
            <SelectAll rows={rows} selected={selected} onChosen={setChosen} />
            <FollowUpActs
              canteen={canteen}
              filters={filters}
              selected={selected}
              onDone={onDone}
              onBegin={() => setStopped([])}
            />
          </div>
          {stopped.length > 0 && <StoppedMeals stopped={stopped} onRead={() => setStopped([])} />}
          <Table caption="Repas commandés" columns={columns} rows={rows} keyOf={({ id }) => id} />
          {list.isError && (
            <Banner tone="danger" alert title="Les repas n’ont pas pu être relus.">
              {list.error.message}
            </Banner>
          )}
          {list.data && list.data.total > rows.length && (
            <Pagination
              label="Pages des repas"
              range={{
                first: list.data.skipped + 1,
                last: list.data.skipped + rows.length,
                total: list.data.total,
              }}
              onTurn={(to) =>
                filter(to === "next" ? { before: key(rows.at(-1)) } : { after: key(rows[0]) })
              }
            />
          )}
        </div>
      )}
    </Section>
  );
}

/** The key of a meal in the list, as the address writes it. */
const key = (meal: FollowedMeal | undefined) => meal && String(meal.number);

/** All that is shown, up to what one action takes. */
function SelectAll({
  rows,
  selected,
  onChosen,
}: {
  rows: readonly FollowedMeal[];
  selected: readonly FollowedMeal[];
  onChosen: (chosen: ReadonlySet<string>) => void;
}) {
  const selectable = rows.slice(0, limits.mealsAtOnce);
  return (
    <Checkbox
      label={
        selected.length === 0
          ? "Tout sélectionner"
          : plural(selected.length, "repas sélectionné", "repas sélectionnés")
      }
      checked={selected.length >= selectable.length}
      onChecked={(all) => onChosen(new Set(all ? selectable.map(({ id }) => id) : []))}
    />
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      icon="search"
      title="Aucun repas ne correspond à ces filtres."
      action={<Button onClick={onClear}>Effacer les filtres</Button>}
    />
  ) : (
    <EmptyState icon="meal" title="Aucun repas commandé ces jours-là.">
      Les commandes des familles s’affichent ici dès qu’elles sont passées.
    </EmptyState>
  );
}
