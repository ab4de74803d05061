// The boarding stop of a school pass, as its purchase stores it.
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { stopsOfGroup } from "#server/transit/transit.ts";

interface Stop {
  id: number;
  name: string;
}

/** The stop of a purchase, null without one. */
export const stopOf = ({
  stopId,
  stopName,
}: {
  stopId: string | null;
  stopName: string | null;
}): Stop | null => (stopId === null ? null : { id: Number(stopId), name: stopName ?? stopId });

/**
 * A stop of the lines of a group, by its number, which stays the same when feeds are replaced. Refuses
 * `pass_stop`.
 */
export async function stopIn(db: Db, groupId: number, id: number | null): Promise<Stop | null> {
  if (id === null) return null;
  const stop = (await stopsOfGroup(db, groupId)).find((one) => one.id === id);
  if (!stop) throw new Problem("pass_stop");
  return stop;
}
