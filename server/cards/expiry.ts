// A card past its last day spends nothing any more; its replacement is requested in the same transaction.
import { sql } from "kysely";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { audit } from "#server/identity/identity.ts";
import { statesThat } from "./change.ts";
import { issueReplacement } from "./issue.ts";
import { last4 } from "./number.ts";
import { announceCard } from "./announcements.ts";

const inUse: CardState[] = statesThat((card) => cardCan.spend(card) || cardCan.resume(card));

/** Expires the cards whose last day in Paris is over; each in its own transaction. */
export async function expireCards(deps: Deps): Promise<void> {
  const today = sql<string>`paris_day(${deps.now()}::timestamptz)`;
  const past = await deps.db
    .selectFrom("card")
    .select("number")
    .where("state", "in", inUse)
    .where("validUntil", "<", today)
    .execute();
  for (const { number } of past) await expire(deps, number);
}

function expire(deps: Deps, number: number): Promise<void> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const card = await tx
      .updateTable("card")
      .set({ state: "expired" })
      .where("number", "=", number)
      .where("state", "in", inUse)
      .returning("personId")
      .executeTakeFirst();
    // Opposed or replaced since it was listed: nothing is left to do.
    if (!card) return;
    const { personId } = card;
    await issueReplacement(tx, { personId, cardnumber: number, at });
    const details = { card: last4(number) };
    const line = { personId, action: "card.expire", actor: "system", address: null, details, at };
    await audit(tx, line);
    const what =
      "est arrivée à son dernier jour et ne peut plus servir. La suivante est demandée, avec un " +
      "nouveau numéro. Le solde reste acquis.";
    const news = { personId, cardnumber: number, title: "Carte expirée", what, at, outside: true };
    await announceCard(tx, deps, news);
  });
}
