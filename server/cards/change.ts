// Changes of a card's state by a person who manages it: permitted by its state, recorded in the audit trail.
import { sql } from "kysely";
import { cardStates, type Card, type CardState } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit } from "#server/identity/identity.ts";
import { cardsOf } from "./list.ts";
import { cardActor, holdTieOfCard, mayManageCardOf } from "./managed-cards.ts";
import { last4 } from "./number.ts";

/** The part of a call that a change of state needs. */
export interface CardCall {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: { cardnumber: number };
}

/** The states that permit an action, for a condition in a query. */
export const statesThat = (can: (card: { state: CardState }) => boolean): CardState[] =>
  cardStates.filter((state) => can({ state }));

export interface ChangedCard {
  personId: number;
  cardnumber: number;
}

/**
 * Changes a card's state if its present one permits it; the row decides, so that of two calls only one
 * succeeds.
 */
export async function move(
  tx: Tx,
  { caller, input }: CardCall,
  can: (card: { state: CardState }) => boolean,
  change: { state: CardState; opposedAt?: Date; opposedWhy?: string },
): Promise<ChangedCard> {
  await holdTieOfCard(tx, caller.personId, input.cardnumber);
  const mine = mayManageCardOf(caller.personId, sql.ref("card.person_id"));
  const moved = await tx
    .updateTable("card")
    .set(change)
    .where("number", "=", input.cardnumber)
    .where("state", "in", statesThat(can))
    .where(mine)
    .returning("personId")
    .executeTakeFirst();
  if (moved) return { personId: moved.personId, cardnumber: input.cardnumber };
  const card = await tx
    .selectFrom("card")
    .select("state")
    .where("number", "=", input.cardnumber)
    .where(mine)
    .executeTakeFirst();
  if (!card) throw new Problem("not_found");
  throw new Problem(card.state === "opposed" ? "card_opposed" : "card_state");
}

/** Records an action and its actor in the holder's audit trail. */
export async function record(
  tx: Tx,
  { caller, origin }: CardCall,
  { personId, cardnumber }: ChangedCard,
  action: string,
  at: Date,
  details: Record<string, string> = {},
): Promise<void> {
  const actor = await cardActor(tx, { actor: caller.personId, owner: personId });
  await audit(tx, {
    personId,
    action,
    actor,
    address: origin.address,
    details: { ...details, card: last4(cardnumber) },
    at,
  });
}

/** The card as the answer shows it. */
export async function readCard(tx: Tx, { caller, input }: CardCall): Promise<Card> {
  const [card] = await cardsOf(tx, caller.personId, input.cardnumber);
  if (!card) throw new Problem("not_found");
  return card;
}
