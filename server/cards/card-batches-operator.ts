// Operator commands of batches of cards: make and print one, list them, print one again.
import { formatCount, formatDate, plural } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { commandResult, numberArgument, type OperatorCommand } from "#server/process/room.ts";
import {
  batches,
  makeBatch,
  maxCardsInBatch,
  type PrintedBatch,
  reprintBatch,
} from "./card-batches.ts";

/** Commands `npm run operator -- cards batch…`. */
export const batchCommands: readonly OperatorCommand[] = [
  {
    name: "cards batches",
    arguments: [],
    says: "montre les lots de cartes imprimés",
    run: async ({ db }) => {
      const lines = (await batches(db)).map(
        ({ number, operator, madeAt, cards, waiting }) =>
          `${number}  ${formatDate(madeAt)}  ${plural(cards, "carte")}, dont ` +
          `${formatCount(waiting)} pas encore actives  (${operator})`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucun lot."] };
    },
  },
  {
    name: "cards batch",
    arguments: ["<dossier>", "[<nombre>]"],
    says: "met en fabrication les cartes acceptées, et écrit leurs lettres (PDF) et leur liste (CSV)",
    run: (deps, [folder = "", max], operator) =>
      commandResult(async () => {
        const made = await makeBatch(deps, { folder, max: parseMaxCards(max), operator });
        return made ? wordsOf(made) : ["Aucune carte acceptée n'attend sa fabrication."];
      }),
  },
  {
    name: "cards reprint",
    arguments: ["<lot>", "<dossier>"],
    says: "écrit à nouveau les lettres d'un lot ; les secrets de première connexion changent",
    run: (deps, [batch = "", folder = ""], operator) =>
      commandResult(async () =>
        wordsOf(await reprintBatch(deps, { number: numberArgument(batch), folder, operator })),
      ),
  },
];

function parseMaxCards(text: string | undefined): number {
  if (text === undefined) return maxCardsInBatch;
  const max = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (max >= 1 && max <= maxCardsInBatch) return max;
  throw new Problem("invalid_input", { what: `nombre, de 1 à ${maxCardsInBatch}` });
}

const wordsOf = ({ number, cards, secrets, files }: PrintedBatch): string[] => [
  `Lot ${number} : ${plural(cards, "carte")}, dont ${plural(secrets, "secret")} de première connexion.`,
  ...files,
  "Les lettres contiennent les secrets : imprimez-les, puis effacez le fichier.",
];
