// A week of menus in words, and kept where the screens read it.
import { api } from "#contract/api.ts";
import type { MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import { addDays } from "#contract/days.ts";
import { isoWeek } from "#contract/weeks.ts";
import { formatDate } from "#contract/french.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";

/** « Semaine 48, du 23/11/2026 au 29/11/2026 ». */
export const weekWords = (monday: string): string =>
  `Semaine ${isoWeek(monday).week}, du ${formatDate(monday)} au ${formatDate(addDays(monday, 6))}`;

/** The menu of a day; where there is none it has no dishes, and no fingerprint. */
export type MenuOfDay = MenuView & { fingerprint: string | null };

export const menuOf = ({ items }: Pick<MenuWeek, "items">, day: string): MenuOfDay =>
  items.find((item) => item.day === day) ?? {
    day,
    published: false,
    note: "",
    dishes: [],
    fingerprint: null,
  };

/** What a call has just written is what the screens show. */
export const keepWeek = (week: MenuWeek): void =>
  void queryClient.setQueryData(keyOf(api.canteen.menuWeek, { day: week.monday }), week);
