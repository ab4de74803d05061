// Operator command of pro cards: make cards that a company then gives to its people.
import { plural } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { inTx } from "#server/db/db.ts";
import { auditOperator } from "#server/identity/identity.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { companyOf } from "./companies.ts";
import { issueProCards } from "./pro-card-issue.ts";

/** Cards that one command makes at most. */
const maxCards = 100;

/** Commands `npm run operator -- companies cards …`. */
export const proCardCommands: readonly OperatorCommand[] = [
  {
    name: "companies cards",
    arguments: ["<carte>", "<nombre>"],
    says: "prépare des cartes pro pour l'entreprise d'un numéro ; le prochain lot les imprime",
    run: (deps, [card = "", count = ""], operator) =>
      commandResult(() => issue(deps, { card: numberArgument(card), count, operator })),
  },
];

async function issue(
  deps: OperatorDeps,
  { card, count, operator }: { card: number; count: string; operator: string },
): Promise<readonly string[]> {
  const quantity = /^\d{1,3}$/.test(count) ? Number(count) : 0;
  if (quantity < 1 || quantity > maxCards) {
    throw new Problem("invalid_input", { what: `nombre, de 1 à ${maxCards}` });
  }
  return await inTx(deps.db, async (tx) => {
    const person = await tx
      .selectFrom("card")
      .select("personId as id")
      .where("number", "=", card)
      .executeTakeFirst();
    if (!person) throw new Problem("not_found");
    const company = await companyOf(tx, person.id);
    if (!company) throw new Problem("company_missing");
    const { companyId, name } = company;
    const at = deps.now();
    const numbers = await issueProCards(tx, { companyId, count: quantity, at });
    await auditOperator(tx, operator, "pro_card.issue", {
      personId: person.id,
      details: { cards: quantity },
      at,
    });
    return [`${name} : ${plural(numbers.length, "carte")}, à attribuer.`, ...numbers.map(String)];
  });
}
