// Operator commands of memberships: list, show, take up, ask, approve, reject, choose the documents.
import { sql } from "kysely";
import { groupSiren } from "#contract/companies/siren.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDate, formatDateTime } from "#contract/french.ts";
import {
  membershipDocumentKinds,
  membershipParts,
  type MembershipState,
} from "#contract/memberships/states.ts";
import {
  legalFormNames,
  membershipDocumentNames,
  membershipStateNames,
} from "#contract/memberships/words.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import {
  approveMembership,
  askClarification,
  rejectMembership,
  takeUpMembership,
} from "./decision.ts";
import { exchangesOf } from "./memberships.ts";
import { attachedDocuments, lockNumbered } from "./requests.ts";

const maxQuestionLength = 1000;

/** Commands `npm run operator -- memberships …`. */
export const membershipCommands: readonly OperatorCommand[] = [
  {
    name: "memberships list",
    arguments: [],
    says: "montre les demandes d'adhésion qui ne sont pas décidées, la plus ancienne d'abord",
    run: async ({ db }) => {
      const { rows } = await sql<{
        number: number;
        state: MembershipState;
        at: Date | null;
        company: string;
        service: string;
      }>`
        select number, state, submitted_at as at, company_name as company, service from membership
        where state in ('submitted', 'review', 'clarification')
        order by number limit 200`.execute(db);
      const lines = rows.map(
        ({ number, state, at, company, service }) =>
          `${number}  ${at ? formatDate(at) : ""}  ${company}, ${service}  ${membershipStateNames[state]}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune demande en attente."] };
    },
  },
  {
    name: "memberships show",
    arguments: ["<demande>"],
    says: "montre une demande, ses documents (voir documents save) et ses échanges",
    run: ({ db }, [request = ""]) => commandResult(() => requestLines(db, numberArgument(request))),
  },
  {
    name: "memberships review",
    arguments: ["<demande>"],
    says: "prend une demande envoyée à l'étude",
    run: (deps, [request = ""], operator) =>
      commandResult(async () => {
        const { companyName } = await takeUpMembership(deps, numberArgument(request), operator);
        return [`${companyName}  à l'étude`];
      }),
  },
  {
    name: "memberships ask",
    arguments: ["<demande>", "<question>", "[<company,representative,documents>]"],
    says: "demande une précision, et les parties à corriger ; la personne est prévenue",
    run: (deps, [request = "", question = "", parts = ""], operator) =>
      commandResult(async () => {
        const text = question.trim();
        if (text === "") throw new Problem("reason_needed");
        if (text.length > maxQuestionLength)
          throw new Problem("invalid_input", { what: "question" });
        const clarification = { text, parts: listIn(parts, membershipParts, "parties"), operator };
        const { companyName } = await askClarification(
          deps,
          numberArgument(request),
          clarification,
        );
        return [`${companyName}  précision demandée`];
      }),
  },
  {
    name: "memberships approve",
    arguments: ["<demande>"],
    says: "accepte une demande : ouvre l'entreprise ; donne le numéro et le secret à imprimer",
    run: (deps, [request = ""], operator) =>
      commandResult(async () => {
        const number = numberArgument(request);
        const made = await approveMembership(deps, number, operator);
        const how = made.secret === null ? "numéro déjà en service" : `secret ${made.secret}`;
        return [
          `${made.companyName}  carte ${made.cardnumber}  ${how}`,
          `fiche ${made.sheet}, masquée : une fois complétée (partners show), montrez-la avec sa ` +
            `position : partners unhide ${made.sheet} <latitude> <longitude>`,
          `Sa caisse n'encaisse rien avant ses conditions : partners terms ${made.sheet} <remise> <commission>`,
        ];
      }),
  },
  {
    name: "memberships reject",
    arguments: ["<demande>", "<motif>"],
    says: "refuse une demande, avec le motif que la personne lira",
    run: (deps, [request = "", reason = ""], operator) =>
      commandResult(async () => {
        const why = { reason: reasonArgument(reason), operator };
        const { companyName } = await rejectMembership(deps, numberArgument(request), why);
        return [`${companyName}  refusée`];
      }),
  },
  {
    name: "memberships documents",
    arguments: ["<service>", "<registration,identity,mandate>"],
    says: "choisit les documents qu'une demande d'adhésion à un service doit joindre",
    run: (deps, [code = "", list = ""]) =>
      commandResult(async () => {
        const kinds = listIn(list, membershipDocumentKinds, "documents");
        const { numAffectedRows } = await sql`update service
          set membership_documents = ${kinds}::text[]
          where code = ${code} and screen = 'membership'`.execute(deps.db);
        if (numAffectedRows !== 1n) throw new Problem("not_found");
        const names = kinds.map((kind) => membershipDocumentNames[kind]).join(", ");
        return [`${code} : ${names || "aucun document"}`];
      }),
  },
];

/** The words of a list that an argument gives, separated by commas; refuses an unknown one. */
function listIn<Word extends string>(list: string, known: readonly Word[], what: string): Word[] {
  const words = list.split(",").filter(Boolean);
  return words.map((word) => {
    const found = known.find((one) => one === word.trim());
    if (!found) throw new Problem("invalid_input", { what });
    return found;
  });
}

async function requestLines(db: Db, number: number): Promise<string[]> {
  return await inTx(db, async (tx) => {
    const row = await lockNumbered(tx, number);
    const asker = await query(tx).maybeOne(sql<{ name: string; cardnumber: number }>`
      select p.name, card.number as cardnumber from person p
      cross join lateral current_card(p.id) card where p.id = ${row.personId}`);
    const documents = await attachedDocuments(tx, row.id);
    const exchanges = await exchangesOf(tx, row.id);
    const form = legalFormNames[row.legalForm];
    return [
      `demande ${row.number}, ${row.service}, de ${asker?.name}, carte ${formatCardnumber(asker?.cardnumber ?? 0)}`,
      `état          ${membershipStateNames[row.state]}${row.reason ? ` : ${row.reason}` : ""}`,
      `envoyée       ${row.submittedAt ? formatDateTime(row.submittedAt) : ""}`,
      `entreprise    ${row.companyName}, ${form}, SIRET ${groupSiren(row.siret)}`,
      `siège         ${row.street}, ${row.postcode} ${row.town}`,
      `TVA           ${row.owesVat ? "assujettie" : "non assujettie (article 293 B du CGI)"}`,
      `activité      ${row.category}`,
      `représentant  ${row.representative}, ${row.function}, ${row.email}, ${row.phonenumber}`,
      ...documents.map(
        ({ kind, document }) =>
          `document      ${membershipDocumentNames[kind]} : ${document.name}  ${document.id}`,
      ),
      ...exchanges.flatMap(({ at, from, text, documents: files }) => [
        `${formatDateTime(at)}  ${from === "team" ? "nous" : asker?.name} : ${text}`,
        ...files.map(({ name, id }) => `document      ${name}  ${id}`),
      ]),
    ];
  });
}
