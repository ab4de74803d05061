// The days on which a registration at a canteen counts: from its first day, if one is set, to its last.
import { type RawBuilder, sql } from "kysely";

/** SQL condition: the registration that `r` names is accepted and counts on a day. */
export const countsOn = (r: string, day: RawBuilder<unknown>) => sql`(
  ${sql.ref(`${r}.state`)} = 'accepted'
  and (${sql.ref(`${r}.from_on`)} is null or ${sql.ref(`${r}.from_on`)} <= ${day})
  and (${sql.ref(`${r}.until_on`)} is null or ${sql.ref(`${r}.until_on`)} >= ${day}))`;

interface Registered {
  accepted: boolean;
  fromOn: string | null;
  untilOn: string | null;
}

/** Whether a registration is accepted and counts on a day (ISO date). */
export const doesCount = ({ accepted, fromOn, untilOn }: Registered, day: string): boolean =>
  accepted && (fromOn === null || fromOn <= day) && (untilOn === null || untilOn >= day);

/**
 * Returns a function that tells, of a registration and a day, whether it shows that day: it counts then, or
 * no other one of the same person and canteen does. A registration and its renewal are not shown twice.
 */
export function hasItsDay<Row extends Registered & { personId: number; canteenId: string }>(
  rows: readonly Row[],
): (row: Row, day: string) => boolean {
  return (row, day) =>
    doesCount(row, day) ||
    !rows.some(
      (other) =>
        other.personId === row.personId &&
        other.canteenId === row.canteenId &&
        doesCount(other, day),
    );
}
