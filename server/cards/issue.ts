// New cards begin as a request.
import type { Tx } from "#server/db/db.ts";
import { auditAll } from "#server/identity/identity.ts";
import { drawNumber, last4 } from "./number.ts";

/** Requests a card under a new number for a person; returns the number. It becomes active only later. */
export async function issueCard(
  tx: Tx,
  order: { personId: number; type: 1 | 2; replaces?: number; at: Date },
): Promise<number> {
  // A number that is taken is skipped.
  for (;;) {
    const number = drawNumber(order.type);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("card")
      .values({
        number,
        personId: order.personId,
        state: "requested",
        validUntil: null,
        requestedAt: order.at,
        activatedAt: null,
        opposedAt: null,
        opposedWhy: null,
        replaces: order.replaces ?? null,
      })
      .onConflict((conflict) => conflict.column("number").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return number;
  }
}

/** Puts accepted cards into production as a batch; returns how many of them were still accepted. */
export async function produceCards(
  tx: Tx,
  numbers: readonly number[],
  { batch, operator, at }: { batch: number; operator: string; at: Date },
): Promise<number> {
  const moved = await tx
    .updateTable("card")
    .set({ state: "in_production", batchNumber: batch })
    .where("number", "in", numbers)
    .where("state", "=", "approved")
    .returning(["number", "personId"])
    .execute();
  const line = { action: "card.in_production", actor: `operator:${operator}`, address: null, at };
  await auditAll(
    tx,
    moved.map(({ number, personId }) => ({
      ...line,
      personId,
      details: { card: last4(number), batch },
    })),
  );
  return moved.length;
}

/**
 * Requests the replacement of a card, under a new number; does nothing where one is on order already, as for
 * a damaged card that is then lost.
 */
export async function issueReplacement(
  tx: Tx,
  order: { personId: number; cardnumber: number; at: Date },
): Promise<void> {
  const { personId, cardnumber, at } = order;
  const { type, ordered } = await tx
    .selectFrom("person")
    .select((of) => [
      "person.type",
      of
        .exists(of.selectFrom("card").select("number").where("replaces", "=", cardnumber))
        .as("ordered"),
    ])
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  if (!ordered) await issueCard(tx, { personId, type, replaces: cardnumber, at });
}

/** The first card of a person, accepted and still to be made; returns its number. */
export async function issueFirstCard(
  tx: Tx,
  { personId, type, at }: { personId: number; type: 1 | 2; at: Date },
): Promise<number> {
  const number = await issueCard(tx, { personId, type, at });
  await tx.updateTable("card").set({ state: "approved" }).where("number", "=", number).execute();
  return number;
}
