// Operator commands of the family: the ties of a card, and the code to print in its letter.
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { memberRelationNames } from "#contract/family/rows.ts";
import { printCode } from "./join.ts";
import { membersOf } from "./members.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";

/** A command of `npm run operator -- family …`. */
export const familyCommands: readonly OperatorCommand[] = [
  {
    name: "family show",
    arguments: ["<numéro>"],
    says: "montre la famille d'une carte",
    run: ({ db }, [card = ""]) =>
      answer(async () => {
        const holder = await db
          .selectFrom("card")
          .innerJoin("person", "person.id", "card.personId")
          .select(["person.id", "person.name"])
          .where("card.number", "=", numberIn(card))
          .executeTakeFirst();
        if (!holder) throw new Problem("not_found");
        const members = await membersOf(db, holder.id);
        const lines = members.map(
          ({ cardnumber, name, relation }) =>
            `  ${cardnumber}  ${memberRelationNames[relation].padEnd(12)}  ${name}`,
        );
        return [holder.name, ...(lines.length > 0 ? lines : ["  personne"])];
      }),
  },
  {
    name: "family code",
    arguments: ["<numéro>"],
    says: "prépare le code à imprimer pour rattacher une carte sans téléphone",
    run: (deps, [card = ""], operator) =>
      answer(async () => {
        const code = await printCode(deps, numberIn(card), operator);
        return [`${code.slice(0, 4)} ${code.slice(4)}`];
      }),
  },
];

function numberIn(text: string): number {
  const number = Number(text.replaceAll(/\s/g, ""));
  if (!isCardnumber(number)) throw new Problem("not_found");
  return number;
}

async function answer(say: () => Promise<string[]>): Promise<CommandResult> {
  try {
    return { ok: true, lines: await say() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, lines: [error.message] };
  }
}
