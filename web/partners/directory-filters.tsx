// The filters: a search, a place, kinds, open now or not.
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import type { Filters } from "./filters.ts";
import type { usePosition } from "#web/app/shared/position.ts";
import styles from "./directory.module.css";

export function DirectoryFilters({
  filters,
  onFilters,
  position: { where, ask, forget },
}: {
  filters: Filters;
  onFilters: (changes: Partial<Filters>) => void;
  position: ReturnType<typeof usePosition>;
}) {
  const [q, setQ] = useSearchText(filters.q ?? "", (typed) => onFilters({ q: typed }));
  const [around, setAround] = useSearchText(filters.around ?? "", (typed) =>
    onFilters({ around: typed }),
  );
  const known = useAnswer(api.partners.categories, {});
  const here = where.kind === "here";
  return (
    <Stack as="search">
      <div className={styles.directoryFields}>
        <TextInput
          label={"Que cherchez-vous\u202f?"}
          type="search"
          required={false}
          maxLength={100}
          enterKeyHint="search"
          placeholder="Un nom, un lieu, une envie…"
          value={q}
          onValue={setQ}
        />
        <div className={styles.directoryPlace}>
          <TextInput
            label="Autour de"
            required={false}
            maxLength={80}
            enterKeyHint="search"
            autoComplete="off"
            list="directory-towns"
            placeholder={here ? "Votre position" : "Ville ou code postal"}
            value={around}
            onValue={(typed) => {
              if (typed) forget();
              setAround(typed);
            }}
          />
          <datalist id="directory-towns">
            {known.data?.towns.map(({ town, postcode }) => (
              <option key={`${town} ${postcode}`} value={town}>
                {postcode}
              </option>
            ))}
          </datalist>
          <Button
            icon="pin"
            loading={where.kind === "asking"}
            aria-pressed={here}
            onClick={() => {
              if (here) return forget();
              setAround("");
              onFilters({ around: undefined });
              ask();
            }}
          >
            Autour de moi
          </Button>
        </div>
      </div>
      {where.kind === "refused" && (
        <Banner tone="warning" alert>
          {where.why} Indiquez une ville ou un code postal à la place.
        </Banner>
      )}
      <Kinds
        filters={filters}
        onFilters={onFilters}
        items={known.data?.items ?? []}
        waiting={known.isPending}
      />
    </Stack>
  );
}

type Category = { id: string; name: string; count: number; children?: Category[] };

/** Chips of the first level, and of the second under the one that is chosen. */
function Kinds({
  filters: { category, group, open },
  onFilters,
  items,
  waiting,
}: {
  filters: Filters;
  onFilters: (changes: Partial<Filters>) => void;
  items: readonly Category[];
  waiting: boolean;
}) {
  const top = items.find(
    ({ id, children }) => id === category || children?.some((child) => child.id === category),
  );
  const choose = (id: string) =>
    onFilters({ category: id === category ? (id === top?.id ? undefined : top?.id) : id });
  const options = (list: readonly Category[]) =>
    list.map(({ id, name, count }) => ({ value: id, label: name, count }));
  const chosen = [category, top?.id].filter((id) => id !== undefined);
  return (
    <div
      className={styles.directoryKinds}
      data-waiting={waiting ? (category ? "both" : "top") : undefined}
    >
      <Chips
        label="Horaires et cagnottes"
        options={[
          { value: "open", label: "Ouvert maintenant" },
          // Comes with the address alone: pressed until it is taken away.
          ...(group ? [{ value: "group", label: "Accepte la cagnotte choisie" }] : []),
        ]}
        value={[...(open ? ["open"] : []), ...(group ? ["group"] : [])]}
        onValue={(pressed) =>
          onFilters(pressed === "group" ? { group: undefined } : { open: open ? undefined : true })
        }
      />
      <div className={styles.directoryChips}>
        <Chips
          label="Catégories"
          options={options(items)}
          value={chosen}
          onValue={(id) => (id === top?.id ? onFilters({ category: undefined }) : choose(id))}
        />
        {top && (top.children?.length ?? 0) > 1 && (
          <Chips
            label={`Dans ${top.name}`}
            options={options(top.children ?? [])}
            value={chosen}
            onValue={choose}
          />
        )}
      </div>
    </div>
  );
}
