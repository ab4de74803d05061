// Dishes of the library for what is typed on a line: the one of this very name first, then those of its course, then the
// most served.
import { api } from "#contract/api.ts";
import { dishSpelling, type PastDish } from "#contract/kitchen/dish-library.ts";
import { allergenWords } from "#contract/kitchen/dish-allergens.ts";
import { courseNames } from "#contract/kitchen/states.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { Suggestion } from "#web/ui/suggest-input.tsx";
import type { MenuLine } from "./menu-lines.ts";

const shown = 8;
type SoughtLine = Pick<MenuLine, "name" | "course" | "isRenamed">;

/** The library, read once, and beyond its bound what the words find that are typed on a line. */
function useLibrary({ name: typed, isRenamed }: SoughtLine): readonly PastDish[] {
  const first = useAnswer(api.canteen.dishLibrary, {});
  // A line that is only shown asks nothing: a day has up to fifteen.
  const hasMore = isRenamed && first.data?.more === true && typed.trim().length > 1;
  const found = useAnswer(
    api.canteen.dishLibrary,
    { q: typed.trim() },
    { enabled: hasMore, keepShown: true },
  );
  const items = first.data?.items ?? [];
  const more = hasMore ? (found.data?.items ?? []) : [];
  const names = new Set(items.map(({ name }) => name));
  return [...items, ...more.filter(({ name }) => !names.has(name))];
}

export function useDishSuggestions(
  line: SoughtLine,
  /** Names of the other lines: a dish is suggested once. */
  others: readonly string[],
): Suggestion<PastDish>[] {
  const library = useLibrary(line);
  const typed = dishSpelling(line.name);
  const words = typed.split(" ");
  const taken = new Set(others.map(dishSpelling));
  const rank = ({ course, name }: PastDish) => {
    const spelling = dishSpelling(name);
    if (spelling === typed) return -1;
    return (course === line.course ? 0 : 2) + (spelling.startsWith(words[0] ?? "") ? 0 : 1);
  };
  return library
    .filter(({ name }) => {
      const spelling = dishSpelling(name);
      return !taken.has(spelling) && words.every((word) => spelling.includes(word));
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, shown)
    .map((dish) => ({
      key: dish.name,
      label: dish.name,
      hint: [
        ...(dish.course === line.course ? [] : [courseNames[dish.course].toLowerCase()]),
        declarationWords(dish),
      ].join(" · "),
      value: dish,
    }));
}

/** The dish of the suggestions that bears this very name. */
export const namedDish = (
  suggestions: readonly Suggestion<PastDish>[],
  name: string,
): PastDish | undefined =>
  suggestions.find(({ value }) => dishSpelling(value.name) === dishSpelling(name))?.value;

function declarationWords({ declarations }: PastDish): string {
  if (declarations.length > 1) return "allergènes à confirmer";
  return allergenWords({ allergens: declarations[0]?.allergens ?? null });
}
