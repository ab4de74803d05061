// Operator commands of passes: the fares on sale, the passes of a card, exemptions from late fees.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import * as z from "zod/mini";
import { isCardnumber } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { passStateNames } from "#contract/passes/states.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { fareFile, loadFares } from "./catalogue.ts";
import { answerExemption, waitingExemptions } from "./exemption.ts";
import { readPassesOf } from "./pass-rows.ts";
import {
  commandResult,
  type CommandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { faultOf } from "#server/http/input-faults.ts";

/** A command of `npm run operator -- passes …`. */
export const passCommands: readonly OperatorCommand[] = [
  {
    name: "passes list",
    arguments: ["<numéro>"],
    says: "montre les titres de transport d'une carte",
    run: ({ db, now }, [card = ""]) =>
      commandResult(async () => {
        const held = await readPassesOf(db, await personOf(db, card), now());
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
      commandResult(async () => {
        const waiting = await waitingExemptions(db);
        const lines = waiting.flatMap(
          ({ number, requestedAt, holder, product, paid, reason, documentIds }) => [
            `${number}  ${formatDate(requestedAt)}  ${product}, ${holder}, ` +
              `${paid ? "payé" : "pas encore payé"} : ${reason}`,
            ...documentIds.map((id) => `   document ${id}`),
          ],
        );
        return lines.length > 0 ? lines : ["Aucune demande en attente."];
      }),
  },
  {
    name: "passes exempt",
    arguments: ["<demande>"],
    says: "dispense des frais de retard ; ce qui est payé revient sur la cagnotte",
    run: (deps, [request = ""], operator) =>
      commandResult(async () => {
        const decision = { number: numberArgument(request), refusal: null, operator };
        const { holder, backCents } = await answerExemption(deps, decision);
        return [`${holder}  dispensé  ${formatMoney(backCents)} rendus`];
      }),
  },
  {
    name: "passes refuse",
    arguments: ["<demande>", "<motif>"],
    says: "maintient les frais de retard, avec le motif que lira l'acheteur",
    run: (deps, [request = "", refusal = ""], operator) =>
      commandResult(async () => {
        const { holder } = await answerExemption(deps, {
          number: numberArgument(request),
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
  {
    name: "passes network",
    arguments: ["<réseau>", "[<SIREN>]"],
    says: "dit quelle entreprise exploite un réseau : ses titres lui sont dus dès lors ; aucune sans SIREN",
    run: (deps, [slug = "", siren]) => commandResult(() => assignNetwork(deps, slug, siren)),
  },
];

async function putFile(db: OperatorDeps["db"], path: string): Promise<CommandResult> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return { ok: false, lines: [`Le fichier ${path} n'a pas pu être lu.`] };
  const json = asJson(text);
  const parsed = z.safeParse(fareFile, json);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "fichier"} : ${faultOf(issue, json)}`,
    );
    return { ok: false, lines: ["Rien n'est changé : ce fichier n'est pas valable.", ...lines] };
  }
  const { groups, products } = await inTx(db, async (tx) => await loadFares(tx, parsed.data));
  return { ok: true, lines: [`${groups} groupes de lignes, ${products} titres en vente.`] };
}

/** Passes sold before remain the scheme's; naming the same company again keeps its first day. */
async function assignNetwork(
  { db, now }: OperatorDeps,
  slug: string,
  siren: string | undefined,
): Promise<string[]> {
  const found = await query(db).maybeOne(sql<{ name: string; company: string | null }>`
    update fare_group f set company_id = c.id, company_since = case
      when c.id is not distinct from f.company_id then f.company_since
      when c.id is not null then ${now()}::timestamptz end
    from acceptance_group g left join company c on c.siren = ${siren ?? null}
    where g.id = f.group_id and g.slug = ${slug} and (${siren ?? null}::text is null or c.id is not null)
    returning g.name, c.name as company`);
  if (!found) throw new Problem("not_found");
  const { name, company } = found;
  return [company ? `${name} : exploité par ${company}.` : `${name} : exploité par le service.`];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function personOf(db: OperatorDeps["db"], card: string): Promise<number> {
  const number = numberArgument(card);
  const found = isCardnumber(number)
    ? await query(db).maybeOne(sql<{ id: number }>`
        select person_id as id from card where number = ${number}`)
    : null;
  if (!found) throw new Problem("not_found");
  return found.id;
}
