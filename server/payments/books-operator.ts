// Operator commands of the accounts: the summary of a day, and the money in suspense.
import * as z from "zod/mini";
import { daysBetween, parisDay } from "#contract/days.ts";
import { day as dayForm } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import { transferKindName } from "#server/ledger/ledger.ts";
import { commandResult, type CommandResult, type OperatorCommand } from "#server/process/room.ts";
import { type SchemeAccount, schemeAccountNames } from "#server/wallet/wallet.ts";
import { bookOf, type Flow, suspenseLines, type SuspenseLine } from "./books.ts";

/** Commands `npm run operator -- summary` and `suspense …`. */
export const bookCommands: readonly OperatorCommand[] = [
  {
    name: "summary",
    arguments: ["[<AAAA-MM-JJ>]"],
    says: "montre ce qu'un jour a fait entrer et sortir, par compte et par genre, et si tout s'équilibre",
    run: async ({ db, now }, [date]) => {
      const day = date ?? parisDay(now());
      if (z.safeParse(dayForm, day).success) return await summaryOf(db, day);
      return await commandResult(() =>
        Promise.reject(new Problem("invalid_input", { what: "jour (AAAA-MM-JJ)" })),
      );
    },
  },
  {
    name: "suspense list",
    arguments: [],
    says: "montre l'argent en attente, ligne par ligne, avec son âge et d'où il vient",
    run: ({ db, now }) => listSuspense(db, now()),
  },
];

/** French names of accounts that are not the scheme's own, by their kind. */
const otherAccountNames: Readonly<Record<string, string>> = {
  wallet: "cagnottes",
  payable: "dû aux partenaires",
};

/** As wide as the longest name of an account. */
const nameWidth = 30;

const nameOf = (account: string): string =>
  otherAccountNames[account] ?? schemeAccountNames[account as SchemeAccount] ?? account;

async function summaryOf(db: Db, day: string): Promise<CommandResult> {
  const { flows, lines, balances } = await bookOf(db, day);
  const isWallet = (account: string) => account === "wallet";
  const blocks = [
    blockOf(
      "Entré sur les cagnottes",
      flows.filter(({ from, to }) => !isWallet(from) && isWallet(to)),
      ({ from }) => nameOf(from),
    ),
    blockOf(
      "Sorti des cagnottes",
      flows.filter(({ from, to }) => isWallet(from) && !isWallet(to)),
      ({ to }) => nameOf(to),
    ),
    blockOf(
      "D'une cagnotte à l'autre",
      flows.filter(({ from, to }) => isWallet(from) && isWallet(to)),
      () => nameOf("wallet"),
    ),
    blockOf(
      "Hors des cagnottes",
      flows.filter(({ from, to }) => !isWallet(from) && !isWallet(to)),
      ({ from, to }) => `${nameOf(from)} → ${nameOf(to)}`,
    ),
  ];
  const head = `${"Comptes".padEnd(nameWidth + 2)} ${"au matin".padStart(16)} ${"du jour".padStart(16)} ${"au soir".padStart(16)}`;
  return {
    ok: balances,
    lines: [
      `Journée du ${formatDate(day)}`,
      ...blocks.flat(),
      head,
      ...lines.map(({ name, openingCents, dayCents, closingCents, nowCents, journalCents }) => {
        const sums = [openingCents, dayCents, closingCents].map((cents) => amount(cents));
        const wrong =
          nowCents === journalCents
            ? ""
            : `  ✗ solde ${formatMoney(nowCents)}, journal ${formatMoney(journalCents)}`;
        return `  ${nameOf(name).padEnd(nameWidth)} ${sums.join(" ")}${wrong}`;
      }),
      balances
        ? "✓ chaque solde est celui du journal, et le tout s'équilibre."
        : "✗ LES COMPTES NE S'ÉQUILIBRENT PAS : voir «\u00a0ledger verify\u00a0».",
    ],
  };
}

const amount = (cents: number) => formatMoney(cents).padStart(16);

function blockOf(title: string, flows: readonly Flow[], labelOf: (flow: Flow) => string): string[] {
  const total = flows.reduce((sum, { cents }) => sum + cents, 0);
  return [
    `${title} : ${formatMoney(total)}`,
    ...flows.map(
      (flow) =>
        `  ${labelOf(flow).padEnd(nameWidth)} ${transferKindName(flow.kind).padEnd(20)} ` +
        `${plural(flow.count, "écriture").padStart(14)} ${amount(flow.cents)}`,
    ),
  ];
}

/** Exit 1 when any money waits, as `payments list` does. */
async function listSuspense(db: Db, now: Date): Promise<CommandResult> {
  const { lines, balanceCents } = await suspenseLines(db);
  const total = lines.reduce((sum, { leftCents }) => sum + leftCents, 0);
  if (lines.length === 0 && balanceCents === 0) {
    return { ok: true, lines: ["Rien n'est en attente."] };
  }
  return {
    ok: false,
    lines: [
      ...lines.map((line) => suspenseWords(line, now)),
      total === balanceCents
        ? `${plural(lines.length, "ligne")}, ${formatMoney(balanceCents)} en attente.`
        : `✗ les lignes font ${formatMoney(total)}, le compte d'attente ${formatMoney(balanceCents)}.`,
    ],
  };
}

function suspenseWords(line: SuspenseLine, now: Date): string {
  const { transferId, at, leftCents, key, expectedCents, topUpId, payer, wallet } = line;
  const age = plural(daysBetween(parisDay(at), parisDay(now)), "jour");
  const why = expectedCents === null ? [] : [`attendu ${formatMoney(expectedCents)}`];
  const origin =
    topUpId === null ? [] : [`recharge ${topUpId}`, `payée par ${payer}`, `pour ${wallet}`];
  return [`n° ${transferId}`, formatDate(at), age, amount(leftCents), ...why, ...origin, key].join(
    "  ",
  );
}
