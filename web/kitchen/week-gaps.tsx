// What a week lacks before families can rely on it: days without a menu, dishes whose allergens nobody declared, what
// is typed and not saved. Each line leads to where it is mended.
import type { MenuView } from "#contract/kitchen/menus.ts";
import { capital, formatDayInWords, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Banner } from "#web/ui/banner.tsx";
import { hasDraft } from "#web/ui/draft.ts";
import { Link } from "#web/ui/link.tsx";
import styles from "./menus.module.css";
import { menuDraft } from "./menu-lines.ts";

interface Gap {
  day: string;
  words: string;
}

/** The gaps of days to come on which somebody serves, a line a day. */
export const gapsOf = (days: readonly MenuView[]): Gap[] =>
  days.flatMap((menu) => {
    const words = gapWords(menu);
    return words === "" ? [] : [{ day: menu.day, words }];
  });

function gapWords({ day, dishes }: MenuView): string {
  const silent = dishes.filter(({ allergens }) => allergens === null).map(({ name }) => name);
  return [
    ...(dishes.length === 0 ? ["pas de menu"] : []),
    ...(silent.length > 2
      ? [`${plural(silent.length, "plat")} sans allergènes renseignés`]
      : silent.map((name) => `allergènes de «\u00a0${name}\u00a0» non renseignés`)),
    ...(hasDraft(menuDraft(day).name) ? ["saisie non enregistrée"] : []),
  ].join(", ");
}

export const WeekGaps = ({ gaps }: { gaps: readonly Gap[] }) =>
  gaps.length > 0 && (
    <Banner
      tone="warning"
      title={
        gaps.length === 1
          ? "Il manque quelque chose à un jour."
          : `Il manque quelque chose à ${gaps.length} jours.`
      }
    >
      <ul className={styles.gaps}>
        {gaps.map(({ day, words }) => (
          <li key={day}>
            <Link href={linkTo(paths.menuEditor, {}, { day })}>
              {capital(formatDayInWords(day))}
            </Link>
            {"\u202f"}: {words}
          </li>
        ))}
      </ul>
    </Banner>
  );
