// Operator commands of cards: requests that wait, and the steps from the request to the dispatch.
import { cardStateNames, cardTransitions, type CardState } from "#contract/cards/rows.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { inTx, type Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { last4 } from "./number.ts";
import { announceCard } from "./announcements.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";

/** The steps that the operator takes; the others are the holder's, or happen by date. */
const operatorSteps = ["approved", "in_production", "shipped", "received"] as const;
type OperatorStep = (typeof operatorSteps)[number];

/** The dependencies of operator commands, which also run beside the server. */
export type OperatorDeps = Pick<Deps, "db" | "now" | "send" | "config">;

export interface WaitingCard {
  number: number;
  name: string;
  state: CardState;
  replaces: number | null;
  requestedAt: Date;
}

/** Cards asked for and not yet active, the oldest first, at most 200. */
export async function waitingCards(db: Db): Promise<WaitingCard[]> {
  const rows = await db
    .selectFrom("card")
    .innerJoin("person", "person.id", "card.personId")
    .select(["card.number", "person.name", "card.state", "card.replaces", "card.requestedAt"])
    .where("card.state", "in", ["requested", ...operatorSteps])
    .orderBy("card.requestedAt")
    .orderBy("card.number")
    .limit(200)
    .execute();
  return rows.map(({ requestedAt, ...row }) => ({ ...row, requestedAt }));
}

/**
 * Moves a card one step on; `operator` is the name kept in the trail. Refuses a step that the table of
 * transitions does not have (`card_state`) and an unknown number (`not_found`).
 */
export function advanceCard(
  deps: OperatorDeps,
  number: number,
  to: OperatorStep,
  operator: string,
): Promise<void> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const before = Object.entries(cardTransitions)
      .filter(([, next]) => next.includes(to))
      .map(([state]) => state as CardState);
    const moved = await tx
      .updateTable("card")
      .set({ state: to })
      .where("number", "=", number)
      .where("state", "in", before)
      .returning("personId")
      .executeTakeFirst();
    if (!moved) {
      const known = await tx
        .selectFrom("card")
        .select("number")
        .where("number", "=", number)
        .executeTakeFirst();
      throw new Problem(known ? "card_state" : "not_found");
    }
    await auditOperator(tx, operator, `card.${to}`, {
      personId: moved.personId,
      details: { card: last4(number) },
      at,
    });
    if (to !== "shipped") return;
    await announceCard(tx, deps, {
      personId: moved.personId,
      cardnumber: number,
      title: "Nouvelle carte en route",
      what: "a été expédiée. Activez-la depuis le portail dès que vous l'avez reçue.",
      at,
      outside: true,
    });
  });
}

/** A command of `npm run operator -- cards …`. */
export const cardCommands: readonly OperatorCommand[] = [
  {
    name: "cards list",
    arguments: [],
    says: "montre les cartes demandées et pas encore actives",
    run: async ({ db }) => {
      const waiting = await waitingCards(db);
      if (waiting.length === 0) return { ok: true, lines: ["Aucune carte en attente."] };
      const lines = waiting.map(
        ({ number, name, state, replaces, requestedAt }) =>
          `${number}  ${cardStateNames[state].padEnd(14)}  ${formatDate(requestedAt)}` +
          `  ${name}${replaces === null ? "" : `  remplace ${replaces}`}`,
      );
      return { ok: true, lines };
    },
  },
  step("approve", "approved", "accepte une demande de carte"),
  step("produce", "in_production", "note que la carte est en fabrication"),
  step("ship", "shipped", "note que la carte est expédiée, et prévient la personne"),
  step("receive", "received", "note que la carte est arrivée"),
];

function step(verb: string, to: OperatorStep, says: string): OperatorCommand {
  return {
    name: `cards ${verb}`,
    arguments: ["<numéros>"],
    says: `${says} (plusieurs numéros : séparés par des virgules)`,
    run: (deps, args, operator) =>
      advanceAll(
        deps,
        args.flatMap((words) => words.split(",")),
        to,
        operator,
      ),
  };
}

// A card that cannot move does not stop the others: each has its line in the output.
async function advanceAll(
  deps: OperatorDeps,
  args: readonly string[],
  to: OperatorStep,
  operator: string,
): Promise<CommandResult> {
  let ok = true;
  const lines: string[] = [];
  for (const arg of args) {
    const number = Number(arg);
    try {
      if (!isCardnumber(number)) throw new Problem("not_found");
      await advanceCard(deps, number, to, operator);
      lines.push(`${arg}  ${cardStateNames[to]}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      ok = false;
      lines.push(`${arg}  inchangée : ${error.message}`);
    }
  }
  return { ok, lines };
}
