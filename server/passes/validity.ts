// Validity of passes: when one may start and when it ends. Days are days in Paris.
import { addDays, firstOfMonth, schoolYearEnd, startOfDay } from "#contract/days.ts";
import type { FareKind } from "#contract/passes/states.ts";
import { formatDate } from "#contract/french.ts";
import { passes as limits } from "#contract/limits.ts";

interface Sold {
  kind: FareKind;
  minutes: number | null;
}

export interface Start {
  kind: "now" | "day" | "choice";
  from: string;
  to: string;
  choices: { on: string; label: string }[];
}

const months = new Intl.DateTimeFormat("fr-FR", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
/** When a product sold today may begin. `choice`: on one of `choices`; `day`: from `from` to `to`. */
export function startOf({ kind }: Sold, today: string): Start {
  if (kind === "single") return { kind: "now", from: today, to: today, choices: [] };
  if (kind === "day" || kind === "year") {
    const ahead = kind === "day" ? limits.dayAheadDays : limits.yearAheadDays;
    return { kind: "day", from: today, to: addDays(today, ahead), choices: [] };
  }
  const choices =
    kind === "month"
      ? Array.from({ length: limits.monthsOnSale }, (_, ahead) => monthFrom(today, ahead))
      : schoolYearsFrom(today);
  const on = choices.map((choice) => choice.on);
  return { kind: "choice", from: on[0] ?? today, to: on.at(-1) ?? today, choices };
}

function monthFrom(today: string, ahead: number) {
  const first = firstOfMonth(today, ahead);
  return { on: ahead === 0 ? today : first, label: months.format(new Date(`${first}T12:00:00Z`)) };
}

function schoolYearsFrom(today: string) {
  const end = schoolYearEnd(today);
  const year = Number(end.slice(0, 4));
  const now = { on: today, label: `${year - 1}-${year}, dès aujourd’hui` };
  const next = {
    on: addDays(end, 1),
    label: `${year}-${year + 1}, dès le ${formatDate(addDays(end, 1))}`,
  };
  // In summer the school year that ends is no longer sold.
  if (today.slice(5) >= "07-01" && today.slice(5) <= limits.schoolEnd) return [next];
  const early = today.slice(5) >= limits.schoolOnSaleFrom && today.slice(5) <= limits.schoolEnd;
  return early ? [now, next] : [now];
}

/** Whether a start day may be chosen today. */
export function mayStart(sold: Sold, startOn: string, today: string): boolean {
  const { kind, from, to, choices } = startOf(sold, today);
  if (kind === "choice") return choices.some(({ on }) => on === startOn);
  return startOn >= from && startOn <= to;
}

/** The last day of a pass that begins on a day. */
export function lastDayOf({ kind }: Sold, startOn: string): string {
  switch (kind) {
    case "month":
      return addDays(firstOfMonth(startOn, 1), -1);
    case "year":
      return addDays(`${Number(startOn.slice(0, 4)) + 1}${monthDayOf(startOn)}`, -1);
    case "school":
      return schoolYearEnd(startOn);
    default:
      return startOn;
  }
}

/** « -02-29 » has no anniversary the year after: 1 March stands for it. */
const monthDayOf = (day: string): string => (day.endsWith("-02-29") ? "-03-01" : day.slice(4));

/** The span of validity of a pass bought at `at`; `until` is the first instant after it. */
export function spanOf(sold: Sold, startOn: string, at: Date): { from: Date; until: Date } {
  if (sold.kind === "single") {
    return { from: at, until: new Date(at.getTime() + (sold.minutes ?? 0) * 60_000) };
  }
  const day = startOfDay(startOn);
  const until = startOfDay(addDays(lastDayOf(sold, startOn), 1));
  return { from: day < at ? at : day, until };
}

/** French sentence for the list of products. */
export function validityWords({ kind, minutes }: Sold): string {
  switch (kind) {
    case "single":
      return `Valable ${minutes} minutes dès l’achat.`;
    case "day":
      return "Valable toute la journée choisie.";
    case "month":
      return "Valable du premier au dernier jour du mois choisi.";
    case "year":
      return "Valable douze mois à partir de la date choisie.";
    case "school":
      return "Valable toute l’année scolaire, jusqu’au 31 août.";
  }
}

/**
 * Whether the late fee is due: requested after the day (MM-DD) that precedes the school year of `startOn`.
 */
export function isLate(lateAfter: string | null, startOn: string, today: string): boolean {
  if (lateAfter === null) return false;
  return today > `${Number(schoolYearEnd(startOn).slice(0, 4)) - 1}-${lateAfter}`;
}
