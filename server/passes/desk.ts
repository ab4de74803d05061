// The operator's side of passes: the fares on sale, the passes of a card, the late fees to answer.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import * as z from "zod/mini";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { passStateNames } from "#contract/pass-states.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { fareFile, loadFares } from "./catalogue.ts";
import { answerExemption, waitingExemptions } from "./exemption.ts";
import { passesOf } from "./list.ts";

type Desk = Pick<Deps, "db" | "now" | "send" | "config">;

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- passes …`. */
export interface PassCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  /** `operator` is the name that the trail keeps. */
  run(desk: Desk, given: readonly string[], operator: string): Promise<Answer>;
}

export const deskCommands: readonly PassCommand[] = [
  {
    name: "passes list",
    arguments: ["<numéro>"],
    says: "montre les titres de transport d'une carte",
    run: ({ db, now }, [given = ""]) =>
      told(async () => {
        const held = await passesOf(db, await personOf(db, given), now());
        const lines = held.map(
          ({ id, name, state, validFrom, lastDay, groupName }) =>
            `${id}  ${passStateNames[state].padEnd(9)}  ${formatDate(validFrom)} – ` +
            `${formatDate(lastDay)}  ${name} (${groupName})`,
        );
        return lines.length > 0 ? lines : ["Aucun titre."];
      }),
  },
  {
    name: "passes exemptions",
    arguments: [],
    says: "montre les frais de retard dont la dispense est demandée",
    run: ({ db }) =>
      told(async () => {
        const waiting = await waitingExemptions(db);
        const lines = waiting.flatMap(
          ({ number, askedAt, holder, product, paid, words, papers }) => [
            `${number}  ${formatDate(askedAt)}  ${product}, ${holder}, ` +
              `${paid ? "payé" : "pas encore payé"} : ${words}`,
            ...papers.map((id) => `   document ${id}`),
          ],
        );
        return lines.length > 0 ? lines : ["Aucune demande en attente."];
      }),
  },
  {
    name: "passes exempt",
    arguments: ["<demande>"],
    says: "dispense des frais de retard ; ce qui est payé revient sur la cagnotte",
    run: (desk, [given = ""], operator) =>
      told(async () => {
        const asked = { number: numberIn(given), refusal: null, operator };
        const { holder, backCents } = await answerExemption(desk, asked);
        return [`${holder}  dispensé  ${formatMoney(backCents)} rendus`];
      }),
  },
  {
    name: "passes refuse",
    arguments: ["<demande>", "<motif>"],
    says: "maintient les frais de retard, avec le motif que lira l'acheteur",
    run: (desk, [given = "", refusal = ""], operator) =>
      told(async () => {
        const { holder } = await answerExemption(desk, {
          number: numberIn(given),
          refusal,
          operator,
        });
        return [`${holder}  frais maintenus`];
      }),
  },
  {
    name: "passes fares",
    arguments: ["<fichier.json>"],
    says: "met en vente les titres d'un fichier ; ce qu'il ne dit plus n'est plus vendu",
    run: ({ db }, [path = ""]) => putFile(db, path),
  },
];

async function putFile(db: Desk["db"], path: string): Promise<Answer> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return { ok: false, lines: [`Le fichier ${path} n'a pas pu être lu.`] };
  const parsed = z.safeParse(fareFile, asJson(text));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      ({ path: at, message }) => `${at.join(".")} : ${message}`,
    );
    return { ok: false, lines: ["Rien n'est changé : ce fichier n'est pas valable.", ...lines] };
  }
  const { groups, products } = await inTx(db, async (tx) => await loadFares(tx, parsed.data));
  return { ok: true, lines: [`${groups} groupes de lignes, ${products} titres en vente.`] };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function personOf(db: Desk["db"], given: string): Promise<number> {
  const number = numberIn(given);
  const { rows } = isCardnumber(number)
    ? await sql<{ id: number }>`select person_id as id from card where number = ${number}`.execute(
        db,
      )
    : { rows: [] };
  if (!rows[0]) throw new Problem("not_found");
  return rows[0].id;
}

function numberIn(given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number) || given.trim() === "") throw new Problem("not_found");
  return number;
}

async function told(say: () => Promise<string[]>): Promise<Answer> {
  try {
    return { ok: true, lines: await say() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, lines: [error.message] };
  }
}
