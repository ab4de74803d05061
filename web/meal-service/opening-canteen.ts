// At which of several canteens the counter opens.
import type { api } from "#contract/api.ts";
import { instantOfParis, parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { isServing, nextServiceAfter, type ServiceTimes } from "#contract/kitchen/service-day.ts";

/** A canteen with the days on which it serves next; none while they are not known. */
export type CanteenTimes = OwnCanteen & ServiceTimes;

type NextServices = Output<typeof api.canteen.nextServices>["items"];

export const withServices = (
  canteens: readonly OwnCanteen[],
  services: NextServices,
): CanteenTimes[] =>
  canteens.map((one) => ({
    ...one,
    serviceDays: services.find(({ canteen }) => canteen === one.id)?.serviceDays ?? [],
  }));

/** When the next service of a canteen begins, in milliseconds; infinite where none is known. */
function nextStart(canteen: CanteenTimes, now: Date): number {
  const day = nextServiceAfter(canteen, now);
  return day === null ? Infinity : instantOfParis(day, canteen.servesFrom).getTime();
}

/**
 * The id of the canteen that serves now; of several, the one whose list the device has, else the first. Where
 * none does: the one of that list if it serves today, else the one that serves soonest. Where no service is
 * known, as without an answer: the one of that list, else the first.
 */
export function canteenToOpen(
  canteens: readonly CanteenTimes[],
  { stored, now }: { stored: string | undefined; now: Date },
): string | undefined {
  const ofDevice = canteens.find(({ id }) => id === stored);
  const serving = canteens.filter((one) => isServing(one, now));
  if (serving.length > 0) return (serving.find((one) => one === ofDevice) ?? serving[0])?.id;
  if (ofDevice?.serviceDays.includes(parisDay(now))) return ofDevice.id;
  const soonest = Math.min(...canteens.map((one) => nextStart(one, now)));
  if (ofDevice && soonest === Infinity) return ofDevice.id;
  return canteens.find((one) => nextStart(one, now) === soonest)?.id;
}
