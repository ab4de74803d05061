// Cards own their numbers, their states and what each state permits. They refuse to act on a card that is not
// one's own, one's child's or one's company's, and any step that the table of transitions does not have. The
// room also creates the holders of first cards (holders.ts, first-card-requests.ts).
import { sql } from "kysely";
import { cardCan, type Card } from "#contract/cards/rows.ts";
import { dayMs, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { cards as limits } from "#contract/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { mayActFor } from "#server/family/family.ts";
import { audit, endSessions } from "#server/identity/identity.ts";
import { move, record, readCard, statesThat, type CardCall, type ChangedCard } from "./change.ts";
import { expireCards } from "./expiry.ts";
import { issueReplacement } from "./issue.ts";
import {
  endedSuspended,
  holdTieOfCard,
  mayManageCardOf,
  requireMayResume,
} from "./managed-cards.ts";
import { last4 } from "./number.ts";
import { revokeQr } from "./qr.ts";
import { announceCard } from "./announcements.ts";

export { makeBatch, maxCardsInBatch, type OrderBatch, reprintBatch } from "./card-batches.ts";
export { cleanName, fullName, makeFirstSecret, tidyName } from "./holders.ts";
export { contactTitles, emailIn, holderName, phoneIn } from "./holders-file.ts";
export { issueReplacement } from "./issue.ts";
export { endedSuspended } from "./managed-cards.ts";
export { openProfessional } from "./new-person.ts";
export { last4, numberOf } from "./number.ts";
export { codeOfCard, codeRevoked } from "./qr.ts";
export { firstCardToDos } from "./to-dos.ts";

/** A card that was just opposed, for later rooms that issued something in its name. */
export interface OpposedCard {
  personId: number;
  cardnumber: number;
  at: Date;
}

/** A step of a later room at an opposition, in its transaction: all or none take effect. */
export type Step = (tx: Tx, deps: OperatorDeps, opposed: OpposedCard) => Promise<void>;

/** Filled in rooms.ts by later rooms: revokes the codes of tickets and passes. Bookings stay. */
export const onOpposed: Step[] = [];

/** A step of a later room when a person leaves and gets no other card, in the same transaction. */
type LeavingStep = (
  tx: Tx,
  deps: OperatorDeps,
  leaver: Omit<OpposedCard, "cardnumber">,
) => Promise<void>;

/** Filled in rooms.ts by later rooms: cancels meals. */
export const onHolderLeft: LeavingStep[] = [];

/** Suspends an active card: it spends nothing until it is resumed (spec §4, atf 0). */
export function suspend(call: CardCall): Promise<Card> {
  return inTx(call.deps.db, async (tx) => {
    const at = call.deps.now();
    const card = await move(tx, call, cardCan.suspend, { state: "suspended" });
    await revokeQr(tx, card.cardnumber, at);
    await record(tx, call, card, "card.suspend", at);
    const what = "est suspendue. Elle ne peut rien payer tant qu'elle n'est pas réactivée.";
    await announceCard(tx, call.deps, {
      ...card,
      title: "Carte suspendue",
      what,
      at,
      by: call.caller.personId,
    });
    return await readCard(tx, call);
  });
}

/**
 * Resumes a suspended card (atf 1). A child's is for a guardian to resume (`family_minor`), a company's for
 * whoever is responsible for it (`pro_card_resume`).
 */
export function resume(call: CardCall): Promise<Card> {
  return inTx(call.deps.db, async (tx) => {
    const at = call.deps.now();
    const card = await move(tx, call, cardCan.resume, { state: "active" });
    await requireMayResume(tx, { actor: call.caller.personId, owner: card.personId });
    await record(tx, call, card, "card.resume", at);
    const what = "est réactivée. Elle peut servir dès maintenant.";
    await announceCard(tx, call.deps, {
      ...card,
      title: "Carte réactivée",
      what,
      at,
      by: call.caller.personId,
    });
    return await readCard(tx, call);
  });
}

/**
 * Opposition, final: the card spends nothing any more, the holder's other sessions end, its
 * replacement is requested under a new number, holder and guardians are told (spec.md 22). The old
 * number still logs in until the new card is active.
 */
export function oppose(call: CardCall & { input: { reason: string } }): Promise<Card> {
  const { deps, caller, input } = call;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const change = { state: "opposed", opposed_at: at, opposed_why: input.reason } as const;
    const card = await move(tx, call, cardCan.oppose, change);
    await revokeQr(tx, card.cardnumber, at);
    await issueReplacement(tx, { ...card, at });
    const except = card.personId === caller.personId ? caller.sessionId : undefined;
    await endSessions(tx, card.personId, { except, why: "opposition", at });
    for (const step of onOpposed) await step(tx, deps, { ...card, at });
    await record(tx, call, card, "card.oppose", at, { reason: input.reason });
    const what =
      "est en opposition et ne peut plus servir. Une carte de remplacement est demandée, avec un " +
      "nouveau numéro. Le solde, les repas commandés, les billets et les abonnements restent acquis, et " +
      "l'ancien numéro sert encore à se connecter en attendant.";
    await announceCard(tx, deps, {
      ...card,
      title: "Carte en opposition",
      what,
      at,
      by: caller.personId,
      outside: true,
    });
    return await readCard(tx, call);
  });
}

/**
 * Reports a card as damaged: its replacement is requested under a new number, free of charge as after an
 * opposition, and holder and guardians are told. The damaged card pays until the new one is active.
 */
export function reportDamage(call: CardCall & { input: { reason: string } }): Promise<Card> {
  const { deps, caller, input } = call;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const card = await move(tx, call, cardCan.reportDamage, { state: "damaged" });
    await issueReplacement(tx, { ...card, at });
    await record(tx, call, card, "card.damage", at, { reason: input.reason });
    const what =
      "est signalée abîmée. Une carte de remplacement est demandée, gratuitement, avec un nouveau " +
      "numéro. En attendant, la carte paie encore là où elle peut être lue, et avec son QR code.";
    await announceCard(tx, deps, {
      ...card,
      title: "Carte abîmée",
      what,
      at,
      by: caller.personId,
      outside: true,
    });
    return await readCard(tx, call);
  });
}

/**
 * Activates a card received; the one it replaces becomes `replaced` and logs in no more. Where somebody else
 * had suspended that one, whoever may resume it activates: `family_minor`, `pro_card_resume`.
 */
export function activate(call: CardCall): Promise<Card> {
  return inTx(call.deps.db, async (tx) => {
    const at = call.deps.now();
    const { cardnumber } = call.input;
    const actor = call.caller.personId;
    const bearer = sql.ref("card.person_id");
    await holdTieOfCard(tx, actor, cardnumber);
    const isHeld = endedSuspended(bearer, sql.ref("card.replaces"));
    const found = await tx
      .selectFrom("card")
      .select(["personId as owner", "replaces", isHeld.as("isHeld")])
      .where("number", "=", cardnumber)
      .where(
        sql<boolean>`(${mayActFor(actor, bearer)} or ${mayManageCardOf(actor, bearer)} and ${isHeld})`,
      )
      .executeTakeFirst();
    if (!found) throw new Problem("not_found");
    const { owner, replaces } = found;
    if (found.isHeld) await requireMayResume(tx, { actor, owner });
    // The old one first: a person has one card in use at a time.
    if (replaces !== null) await retire(tx, replaces, at);
    const card = await begin(tx, cardnumber, owner, at);
    await record(tx, call, card, "card.activate", at);
    const what = {
      holder: "est active. Utilisez désormais son numéro pour vous connecter.",
      others: "est active. Son numéro sert désormais à se connecter à ce compte.",
    };
    await announceCard(tx, call.deps, { ...card, title: "Nouvelle carte active", what, at });
    return await readCard(tx, call);
  });
}

/** Ends every card of a person who leaves, without a replacement, and what later rooms hold in their name. */
export async function endCards(
  tx: Tx,
  deps: OperatorDeps,
  personId: number,
  at: Date,
): Promise<void> {
  const ended = await tx
    .updateTable("card")
    .set({ state: "expired" })
    .where("personId", "=", personId)
    .where("state", "not in", ["opposed", "expired", "replaced"])
    .returning("number as cardnumber")
    .execute();
  for (const { cardnumber } of ended) {
    await revokeQr(tx, cardnumber, at);
    for (const step of onOpposed) await step(tx, deps, { personId, cardnumber, at });
  }
  for (const step of onHolderLeft) await step(tx, deps, { personId, at });
}

/**
 * After a password was chosen: activates the first card of its holder if it was sent and is not active yet. A
 * holder with a card in use, or with a replacement on order, is left unchanged.
 */
export async function activateFirstCard(
  tx: Tx,
  deps: Deps,
  { personId, address, at }: { personId: number; address: string; at: Date },
): Promise<void> {
  const found = await tx
    .selectFrom("card")
    .select("number")
    .where("personId", "=", personId)
    .where("replaces", "is", null)
    .where("state", "in", statesThat(cardCan.logInFirst))
    .where(
      sql<boolean>`not exists (select from card other where other.person_id = ${personId}
        and other.number <> card.number)`,
    )
    .executeTakeFirst();
  if (!found) return;
  const card = await begin(tx, found.number, personId, at);
  const line = { personId, action: "card.activate_first", actor: "person", address, at };
  await audit(tx, { ...line, details: { card: last4(found.number) } });
  const what = "est active. Elle peut servir dès maintenant.";
  await announceCard(tx, deps, { ...card, title: "Carte active", what, at });
}

async function retire(tx: Tx, number: number, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("card")
    .set({ state: "replaced" })
    .where("number", "=", number)
    .where("state", "in", ["opposed", "damaged", "expired"])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem("card_state");
  await revokeQr(tx, number, at);
}

/** The last day of a card that becomes active at an instant, where no other was set. */
export const endOfCard = (at: Date): string => `${Number(parisDay(at).slice(0, 4)) + 3}-08-31`;

async function begin(tx: Tx, cardnumber: number, personId: number, at: Date): Promise<ChangedCard> {
  const { numUpdatedRows } = await tx
    .updateTable("card")
    .set({
      state: "active",
      activatedAt: at,
      validUntil: sql<string>`coalesce(valid_until, ${endOfCard(at)}::date)`,
    })
    .where("number", "=", cardnumber)
    .where("state", "in", statesThat(cardCan.activate))
    .where(
      sql<boolean>`not exists (select from card used where used.person_id = ${personId}
        and used.state in ('active', 'suspended', 'damaged'))`,
    )
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem("card_state");
  return { personId, cardnumber };
}

/** The jobs of this room. */
export function cardTasks(deps: Deps) {
  return {
    expire_cards: () => expireCards(deps),
    forget_card_revocations: async () => {
      const until = new Date(deps.now().getTime() - limits.revocationDays * dayMs);
      await sql`delete from card_revocation where at < ${until}`.execute(deps.db);
    },
  };
}

/** Schedule (UTC): once it is a new day in Paris. */
export const cardRoutines = [
  { task: "expire_cards", cron: "20 0 * * *" },
  { task: "forget_card_revocations", cron: "45 2 * * *" },
] as const;
