// The operator's side of subscriptions: what waits, one file in full, the answer, a new price.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatDateTime, formatMoney, parseMoney } from "#contract/french.ts";
import { paperNames, subscriptionStateNames } from "#contract/subscription-states.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { approve, type Desk, refuse } from "./after.ts";
import { reprice } from "./offer.ts";
import { papersOf } from "./papers.ts";
import { type Row, rowsWhere } from "./rows.ts";

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- subscriptions …`. */
export interface SubscriptionCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: Desk, given: readonly string[], operator: string): Promise<Answer>;
}

export const subscriptionCommands: readonly SubscriptionCommand[] = [
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
    run: ({ db }, [given = ""]) => told(() => sheet(db, numberIn(given))),
  },
  {
    name: "subscriptions approve",
    arguments: ["<dossier>"],
    says: "accepte les justificatifs ; l'abonnement commence",
    run: (desk, [given = ""], operator) =>
      told(async () => [`${(await approve(desk, numberIn(given), operator)).holder}  accepté`]),
  },
  {
    name: "subscriptions refuse",
    arguments: ["<dossier>", "<motif>"],
    says: "refuse les justificatifs, avec le motif que lira le titulaire ; rend l'argent",
    run: (desk, [given = "", reason = ""], operator) =>
      told(async () => {
        const row = await refuse(desk, numberIn(given), { reason, operator });
        return [`${row.holder}  refusé, ${formatMoney(row.paidCents ?? 0)} rendus`];
      }),
  },
  {
    name: "subscriptions price",
    arguments: ["<formule>", "<euros par an>"],
    says: "change le prix d'une formule pour les achats à venir",
    run: (desk, [code = "", euros = ""]) =>
      told(async () => {
        const yearCents = parseMoney(euros);
        if (yearCents === null) throw new Problem("invalid_input", { what: "prix" });
        const at = desk.now();
        const formula = await inTx(desk.db, (tx) => reprice(tx, { code, yearCents, at }));
        return [
          `${formula.name}  ${formatMoney(formula.yearCents)} par an, version ${formula.version}`,
        ];
      }),
  },
];

async function sheet(db: Db, number: number): Promise<string[]> {
  const [row] = await rowsWhere(db, sql`s.number = ${number}`);
  if (!row) throw new Problem("not_found");
  const papers = await papersOf(db, row.id);
  return [
    `${row.holder}, carte ${row.cardnumber}, formule ${row.formula}`,
    `état    ${subscriptionStateNames[row.state]}${row.reason ? ` : ${row.reason}` : ""}`,
    ...priceOf(row),
    ...papers.map(
      ({ kind, document }) =>
        `pièce   ${paperNames[kind]} : ${document ? `${document.name}  ${document.id}` : "perdue"}`,
    ),
  ];
}

function priceOf({ lines, paidCents, paidAt, startsOn, endsOn }: Row): string[] {
  if (!lines || !paidAt) return ["pas encore payé"];
  return [
    `payé    ${formatMoney(paidCents ?? 0)} le ${formatDateTime(paidAt)}`,
    `période ${formatDate(startsOn ?? "")} – ${formatDate(endsOn ?? "")}`,
    ...lines.map(({ label, amountCents }) => `        ${label} : ${formatMoney(amountCents)}`),
  ];
}

function numberIn(given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number)) throw new Problem("not_found");
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
