// Which month of meals is shown, which day of it first, and between which months there is anything to see.
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { keepAnswer, useAnswer } from "#web/app/transport/answers.ts";
import { isDay } from "#web/ui/days.ts";

type MealsOfMonth = Output<typeof api.canteen.month>;

/** Whether the server has a month for a day of the address. */
const isKnown = (day: string): boolean => isDay(day) && day.startsWith("20");

/**
 * The month of the address, else the one that the server opens first: the next meal's. The last month stays, as
 * `isPlaceholderData`, while another is read.
 */
export function useMealsMonth() {
  const [search] = useSearchParameters<"meals">();
  const [opened, setOpened] = useState<string>();
  const day = isKnown(search.day ?? "") ? search.day : undefined;
  const inAddress = day?.slice(0, 7) ?? (isKnown(`${search.month}-01`) ? search.month : undefined);
  const month = inAddress ?? opened;
  const answer = useAnswer(api.canteen.month, { month }, { keepShown: true });
  const { data, isFetching } = answer;
  useEffect(() => {
    // Without a meal to come, one that is paid meanwhile may still open another month.
    if (month !== undefined || !data || isFetching || !data.items.some(mealOrderCan.hold)) return;
    keepAnswer(api.canteen.month, { month: data.month }, data);
    // oxlint-disable-next-line react/set-state-in-effect -- which month it is comes from the server
    setOpened(data.month);
  }, [month, data, isFetching]);
  return { answer, day, month: month ?? data?.month };
}

/** The first and the last month to see: those with a meal, and the current one. */
export function monthsBetween(
  today: string,
  span: MealsOfMonth["span"] | undefined,
): [string, string] {
  const current = today.slice(0, 7);
  const { first, last } = span ?? { first: current, last: current };
  return [first < current ? first : current, last > current ? last : current];
}

/** The day of the next meal, else today, else the last day with a meal; the first of a month without any. */
export function dayToShow(month: string, items: readonly MealOrder[], today: string): string {
  const next = items.find((order) => order.day >= today && mealOrderCan.hold(order))?.day;
  if (next !== undefined) return next;
  return today.startsWith(month) ? today : (items.at(-1)?.day ?? `${month}-01`);
}
