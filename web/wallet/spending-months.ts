// What the screen of spending says of the server's parts: sums by month and category of the chosen persons.
import type { Output } from "#contract/endpoint.ts";
import { addDays, firstOfMonth } from "#contract/days.ts";
import { firstName, formatMoney, monthName } from "#contract/french.ts";
import {
  spendingCategories,
  type SpendingCategory,
  type SpendingPart,
  type walletSpending,
} from "#contract/wallet/spending.ts";
import type { Series } from "#web/ui/bar-chart.tsx";

export type Spending = Output<typeof walletSpending.spending>;
export type SpendingWallet = Spending["wallets"][number];

/** First day of a month, YYYY-MM. */
export const dayOf = (month: string): string => `${month}-01`;

/** The first and the last day of a month. */
export const daysOf = (month: string): { from: string; to: string } => ({
  from: dayOf(month),
  to: addDays(firstOfMonth(dayOf(month), 1), -1),
});

export const sumOf = (parts: readonly { cents: number }[]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0);

/** Persons who have wallets there: the caller first. */
export function personsOf(wallets: readonly SpendingWallet[]) {
  const persons = [...Map.groupBy(wallets, ({ cardnumber }) => cardnumber).values()].flatMap(
    ([wallet]) => (wallet ? [wallet] : []),
  );
  const names = persons.map(({ owner }) => owner);
  return persons.map(({ cardnumber, owner, own }) => ({
    cardnumber,
    label: own ? "Ma carte" : firstName(owner, names),
  }));
}

/** The wallets of one card, of all without one, and what they spent. */
export function spendingIn(spending: Spending, cardnumber: number | undefined): Spending {
  if (cardnumber === undefined) return spending;
  const wallets = spending.wallets.filter((wallet) => wallet.cardnumber === cardnumber);
  const ids = new Set(wallets.map(({ objectID }) => objectID));
  return {
    ...spending,
    wallets,
    parts: spending.parts.filter(({ objectID }) => ids.has(objectID)),
  };
}

/** The colour of a category on the chart and beside its name. */
export const seriesOf = (category: SpendingCategory): Series =>
  (spendingCategories.indexOf(category) + 1) as Series;

/** Categories with movements, in the order of the screens. */
export const categoriesIn = (parts: readonly SpendingPart[]): SpendingCategory[] =>
  spendingCategories.filter((category) => parts.some((part) => part.category === category));

/**
 * « 12,40 € de moins qu’en octobre à la même date » : the current month against the same day and hour of the
 * month before, others against the whole month before; null for the oldest, and where nothing was spent in either.
 */
export function comparisonOf({ months, wallets, parts }: Spending, month: string): string | null {
  const place = months.indexOf(month);
  const before = months[place - 1];
  if (before === undefined) return null;
  const isCurrent = place === months.length - 1;
  const centsOf = (one: string) => sumOf(parts.filter((part) => part.month === one));
  const cents = centsOf(month);
  const beforeCents = isCurrent
    ? wallets.reduce((sum, { lastMonthToDateCents }) => sum + lastMonthToDateCents, 0)
    : centsOf(before);
  if (cents === 0 && beforeCents === 0) return null;
  const difference = cents - beforeCents;
  const when = `en ${monthName(dayOf(before))}${isCurrent ? " à la même date" : ""}`;
  if (difference === 0) return `Autant qu’${when}`;
  return `${formatMoney(Math.abs(difference))} de ${difference < 0 ? "moins" : "plus"} qu’${when}`;
}
