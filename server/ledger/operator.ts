// Operator commands of the ledger: verify, totals, transfers of a key. All read only.
import { formatCount, formatDateTime, plural } from "#contract/french.ts";
import type { CommandResult, OperatorCommand, OperatorDeps } from "#server/process/room.ts";
import { transferKindName } from "./kind-names.ts";
import { onVerified, postedUnder, totalsOf, verify } from "./ledger.ts";

const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const amount = (cents: number, asset: string) =>
  asset === "EUR" ? euros.format(cents / 100) : `${formatCount(cents)} points`;

export const ledgerCommands: readonly OperatorCommand[] = [
  {
    name: "ledger verify",
    arguments: [],
    says: "prouve les soldes par le journal, et le journal par ses sceaux (ne change rien)",
    run: verifyLedger,
  },
  {
    name: "ledger totals",
    arguments: [],
    says: "montre les soldes par genre de compte",
    run: listTotals,
  },
  {
    name: "ledger key",
    arguments: ["<clé>"],
    says: "montre ce qu'une clé d'opération a écrit",
    run: listPosted,
  },
];

async function verifyLedger(deps: OperatorDeps): Promise<CommandResult> {
  const { ok, accounts, transfers, holds, checks } = await verify(deps.db);
  const lines = checks.map((check) => {
    const wrong = check.ok ? "" : ` : ${formatCount(check.wrong)} en défaut (${check.example})`;
    return `${check.ok ? "✓" : "✗"} ${check.says}${wrong}`;
  });
  const counted = [
    plural(accounts, "compte"),
    plural(transfers, "écriture"),
    plural(holds, "réservation"),
  ];
  const verdict = ok ? "tout est juste" : "LE JOURNAL EST EN DÉFAUT";
  const others = await Promise.all(onVerified.map((prove) => prove(deps)));
  return {
    ok: ok && others.every((other) => other.ok),
    lines: [
      ...lines,
      `${counted.join(", ")} : ${verdict}.`,
      ...others.flatMap((other) => other.lines),
    ],
  };
}

async function listTotals({ db }: OperatorDeps): Promise<CommandResult> {
  const lines = (await totalsOf(db)).map((total) => {
    const held =
      total.heldCents > 0 ? `, dont ${amount(total.heldCents, total.asset)} réservés` : "";
    const accounts = plural(total.accounts, "compte").padStart(14);
    const balance = amount(total.balanceCents, total.asset);
    return `${total.kind.padEnd(24)} ${accounts}  ${balance}${held}`;
  });
  return { ok: true, lines };
}

async function listPosted(
  { db }: OperatorDeps,
  [key = ""]: readonly string[],
): Promise<CommandResult> {
  const posted = await postedUnder(db, key);
  const lines = posted.map(
    (one) =>
      `n° ${one.id}, le ${formatDateTime(one.at)}, ${transferKindName(one.kind)} : ` +
      `${amount(one.amountCents, one.kind.startsWith("points_") ? "PTS" : "EUR")} ` +
      `du compte ${one.debitAccount} au compte ${one.creditAccount}`,
  );
  if (lines.length === 0) lines.push("Cette clé n'a rien écrit.");
  return { ok: posted.length > 0, lines };
}
