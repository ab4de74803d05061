// When a subscription whose documents are checked begins.
import { todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";

/** After « vos documents … », « commencera »: « le 01/08/2027 s’ils sont acceptés » after one that runs. */
export const startWords = (startsOn: string): string =>
  startsOn > todayInParis()
    ? `le ${formatDate(startsOn)} s’ils sont acceptés`
    : "dès qu’ils seront acceptés";
