// Until when a registration counts, and from when if it waits for the next school year.
import { formatDate } from "#contract/french.ts";

/** « Jusqu’au 31/08/2027 », « Du 01/09/2027 au 31/08/2028 »; null where nothing ends. */
export function registrationDays({
  fromOn,
  untilOn,
}: {
  fromOn: string | null;
  untilOn: string | null;
}): string | null {
  if (untilOn === null) return null;
  const until = formatDate(untilOn);
  return fromOn === null ? `Jusqu’au ${until}` : `Du ${formatDate(fromOn)} au ${until}`;
}
