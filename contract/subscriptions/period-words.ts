// When a subscription runs, in words: one that follows another has not begun.
import { todayInParis } from "../days.ts";
import { formatDate } from "../french.ts";

interface Period {
  startsOn: string;
  endsOn: string;
}

/**
 * After its name: « court du 01/08/2026 au 31/07/2027 », « commencera le 01/08/2027 et finira le 31/07/2028
 * ».
 */
export const periodWords = ({ startsOn, endsOn }: Period, now = new Date()): string =>
  startsOn > todayInParis(now)
    ? `commencera le ${formatDate(startsOn)} et finira le ${formatDate(endsOn)}`
    : `court du ${formatDate(startsOn)} au ${formatDate(endsOn)}`;

/** After « vos documents … », « commencera »: « le 01/08/2027 s’ils sont acceptés » after one that runs. */
export const startWords = (startsOn: string, now = new Date()): string =>
  startsOn > todayInParis(now)
    ? `le ${formatDate(startsOn)} s’ils sont acceptés`
    : "dès qu’ils seront acceptés";
