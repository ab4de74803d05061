// The tour of the first day: offered to a holder with the first password, ended for ever once it is walked or skipped.
import type { Output } from "#contract/endpoint.ts";
import type { identity } from "#contract/identity/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";

/** Offers the tour to a holder who has never chosen a password; called before the first one is stored. */
export async function offerTour(tx: Tx, personId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("person")
    .set({ tourState: "offered" })
    .where("id", "=", personId)
    .where("type", "=", 1)
    .where("passwordChangedAt", "is", null)
    .where("tourState", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the tour waits for this person. */
export async function isTourOffered(db: Db, personId: number): Promise<boolean> {
  const person = await db
    .selectFrom("person")
    .select("id")
    .where("id", "=", personId)
    .where("tourState", "=", "offered")
    .executeTakeFirst();
  return person !== undefined;
}

/** Ends the caller's tour, walked or skipped, on every device. Ending it again changes nothing. */
export async function endTour({
  deps,
  caller,
}: Call<typeof identity.endTour>): Promise<Output<typeof identity.endTour>> {
  await deps.db
    .updateTable("person")
    .set({ tourState: "ended" })
    .where("id", "=", caller.personId)
    .execute();
  return {};
}
