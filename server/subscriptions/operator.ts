// Operator commands of subscriptions: applications in review, one in full, the decision, a new price.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatDateTime, formatMoney, parseMoney } from "#contract/french.ts";
import { subscriptionProofNames, subscriptionStateNames } from "#contract/subscriptions/states.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { approveProofs, refuseProofs } from "./review.ts";
import { changePrice } from "./formulas.ts";
import { proofsOf } from "./proofs.ts";
import { type SubscriptionRow, subscriptionsWhere } from "./rows.ts";
import { commandResult, numberArgument, type OperatorCommand } from "#server/process/room.ts";

/** A command of `npm run operator -- subscriptions …`. */
export const subscriptionCommands: readonly OperatorCommand[] = [
  {
    name: "subscriptions list",
    arguments: [],
    says: "montre les abonnements payés dont les justificatifs sont à vérifier",
    run: async ({ db }) => {
      const { rows } = await sql<{ number: number; at: Date; holder: string; formula: string }>`
        select s.number, s.paid_at as at, p.name as holder, s.formula from subscription s
        join person p on p.id = s.person_id where s.state = 'review'
        order by s.number limit 200`.execute(db);
      const lines = rows.map(
        ({ number, at, holder, formula }) =>
          `${number}  ${formatDate(at)}  ${holder}, formule ${formula}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucun dossier à vérifier."] };
    },
  },
  {
    name: "subscriptions show",
    arguments: ["<dossier>"],
    says: "montre un dossier : titulaire, prix, justificatifs (voir documents save)",
    run: ({ db }, [application = ""]) =>
      commandResult(() => fileLines(db, numberArgument(application))),
  },
  {
    name: "subscriptions approve",
    arguments: ["<dossier>", "[<quotient>]"],
    says: "accepte les justificatifs ; l'abonnement commence, le quotient lu devient celui du foyer",
    run: (deps, [application = "", read], operator) =>
      commandResult(async () => {
        const quotient = read === undefined ? null : quotientIn(read);
        const row = await approveProofs(deps, numberArgument(application), { operator, quotient });
        return [`${row.holder}  accepté`];
      }),
  },
  {
    name: "subscriptions refuse",
    arguments: ["<dossier>", "<motif>"],
    says: "refuse les justificatifs, avec le motif que lira le titulaire ; rend l'argent",
    run: (deps, [application = "", reason = ""], operator) =>
      commandResult(async () => {
        const row = await refuseProofs(deps, numberArgument(application), { reason, operator });
        return [`${row.holder}  refusé, ${formatMoney(row.paidCents ?? 0)} rendus`];
      }),
  },
  {
    name: "subscriptions price",
    arguments: ["<formule>", "<euros par an>"],
    says: "change le prix d'une formule pour les achats à venir",
    run: (deps, [code = "", euros = ""]) =>
      commandResult(async () => {
        const yearCents = parseMoney(euros);
        if (yearCents === null) throw new Problem("invalid_input", { what: "prix" });
        const at = deps.now();
        const formula = await inTx(deps.db, (tx) => changePrice(tx, { code, yearCents, at }));
        return [
          `${formula.name}  ${formatMoney(formula.yearCents)} par an, version ${formula.version}`,
        ];
      }),
  },
];

async function fileLines(db: Db, number: number): Promise<string[]> {
  const [row] = await subscriptionsWhere(db, sql`s.number = ${number}`);
  if (!row) throw new Problem("not_found");
  const proofs = await proofsOf(db, row.id);
  return [
    `${row.holder}, carte ${row.cardnumber}, formule ${row.formula}`,
    `état    ${subscriptionStateNames[row.state]}${row.reason ? ` : ${row.reason}` : ""}`,
    ...priceOf(row),
    ...proofs.map(
      ({ kind, document }) =>
        `pièce   ${subscriptionProofNames[kind]} : ${document ? `${document.name}  ${document.id}` : "perdue"}`,
    ),
  ];
}

function priceOf({ lines, paidCents, paidAt, startsOn, endsOn }: SubscriptionRow): string[] {
  if (!lines || !paidAt) return ["pas encore payé"];
  return [
    `payé    ${formatMoney(paidCents ?? 0)} le ${formatDateTime(paidAt)}`,
    `période ${formatDate(startsOn ?? "")} – ${formatDate(endsOn ?? "")}`,
    ...lines.map(({ label, amountCents }) => `        ${label} : ${formatMoney(amountCents)}`),
  ];
}

function quotientIn(read: string): number {
  if (!/^\d{1,5}$/.test(read)) throw new Problem("invalid_input", { what: "quotient" });
  return Number(read);
}
