// The file of accounting entries (FEC) of a year, as article A47 A-1 of the tax procedure book requires: one
// entry for each transfer of the ledger in euros, in the order of the journal, written while it is read.
import { sql } from "kysely";
import { parisDay, startOfDay } from "#contract/days.ts";
import type { Db } from "#server/db/db.ts";
import { transferKindName } from "#server/ledger/ledger.ts";
import {
  companyAccountOf,
  type GeneralAccount,
  journalOf,
  type MoneyAccount,
  schemeAccounts,
  walletAccount,
} from "./chart-of-accounts.ts";

/** The eighteen columns, in the order of the article. */
export const fecColumns = [
  "JournalCode",
  "JournalLib",
  "EcritureNum",
  "EcritureDate",
  "CompteNum",
  "CompteLib",
  "CompAuxNum",
  "CompAuxLib",
  "PieceRef",
  "PieceDate",
  "EcritureLib",
  "Debit",
  "Credit",
  "EcritureLet",
  "DateLet",
  "ValidDate",
  "Montantdevise",
  "Idevise",
] as const;

/** SIREN, « FEC », the last day of the year: `900123001FEC20261231.txt`. */
export const fecName = (siren: string, year: number): string => `${siren}FEC${year}1231.txt`;

interface EntryRow {
  id: number;
  key: string;
  kind: string;
  at: Date;
  amountCents: number;
  invoice: string | null;
  debitId: number;
  debitKind: string;
  debitSiren: string | null;
  debitCompany: string | null;
  creditId: number;
  creditKind: string;
  creditSiren: string | null;
  creditCompany: string | null;
}

/** Totals of what was written: each entry balances, so one sum is that of both columns. */
export interface FecSums {
  entries: number;
  debitCents: number;
  creditCents: number;
}

const chunk = 2000;

/**
 * The lines of a year, a chunk at a time, with the sums so far. Numbers run from 1 without a gap in the
 * order of the journal, which only grows at its end: an entry keeps its number in a later export.
 */
export async function* fecChunks(
  db: Db,
  year: number,
): AsyncGenerator<{ text: string; sums: FecSums }> {
  const sums: FecSums = { entries: 0, debitCents: 0, creditCents: 0 };
  yield { text: `${fecColumns.join("\t")}\r\n`, sums };
  const from = startOfDay(`${year}-01-01`);
  const until = startOfDay(`${year + 1}-01-01`);
  let after = 0;
  for (;;) {
    const rows = await entriesAfter(db, { after, from, until });
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const lines = rows.flatMap((row) => {
      sums.entries += 1;
      sums.debitCents += row.amountCents;
      sums.creditCents += row.amountCents;
      return linesOf(row, sums.entries);
    });
    yield { text: lines.map((line) => `${line.join("\t")}\r\n`).join(""), sums };
  }
}

async function entriesAfter(
  db: Db,
  { after, from, until }: { after: number; from: Date; until: Date },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select t.id, t.key, t.kind, t.at, t.amount as amount_cents, t.memo ->> 'invoice' as invoice,
      d.id as debit_id, d.kind as debit_kind, dc.siren as debit_siren, dc.name as debit_company,
      c.id as credit_id, c.kind as credit_kind, cc.siren as credit_siren,
      cc.name as credit_company
    from transfer t
    join ledger_account d on d.id = t.debit_account and d.asset = 'EUR'
    join ledger_account c on c.id = t.credit_account
    left join settlement_account ds on ds.account_id = d.id
    left join company dc on dc.id = ds.company_id
    left join settlement_account cs on cs.account_id = c.id
    left join company cc on cc.id = cs.company_id
    where t.id > ${after} and t.at >= ${from} and t.at < ${until}
    order by t.id limit ${chunk}`.execute(db);
  return rows;
}

interface Side {
  id: number;
  kind: string;
  siren: string | null;
  company: string | null;
}

/** The general account, and the auxiliary one if any: a company by its SIREN, a lot by its id. */
function accountOf({ id, kind, siren, company }: Side): readonly [GeneralAccount, string, string] {
  if (kind === "payable")
    return [companyAccountOf, siren ?? `P${id}`, company ?? `Partenaire ${id}`];
  const scheme = schemeAccounts[kind.replace(/^scheme:/, "") as MoneyAccount];
  if (scheme) return [scheme, "", ""];
  return [walletAccount, `C${id}`, `Compte de carte ${id}`];
}

/** No separator and no end of line inside a field. */
const field = (text: string, max = 200): string =>
  text.replaceAll(/[\t\r\n|]+/g, " ").slice(0, max);
const compact = (day: string): string => day.replaceAll("-", "");
const amount = (cents: number): string =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;

/** A debit and a credit under one number. It names no person, only companies. */
function linesOf(row: EntryRow, number: number): string[][] {
  const day = compact(parisDay(row.at));
  const { code, name } = journalOf(row.kind);
  const piece = field(row.invoice ?? row.key);
  const label = field(`${transferKindName(row.kind)} ${piece}`);
  const line = (side: Side, debitCents: number, creditCents: number): string[] => {
    const [{ number: account, name: accountName }, aux, auxName] = accountOf(side);
    return [
      code,
      name,
      String(number),
      day,
      account,
      accountName,
      aux,
      field(auxName),
      piece,
      day,
      label,
      amount(debitCents),
      amount(creditCents),
      "",
      "",
      day,
      "",
      "",
    ];
  };
  const { debitId, debitKind, debitSiren, debitCompany } = row;
  const { creditId, creditKind, creditSiren, creditCompany } = row;
  const debit = { id: debitId, kind: debitKind, siren: debitSiren, company: debitCompany };
  const credit = { id: creditId, kind: creditKind, siren: creditSiren, company: creditCompany };
  return [line(debit, row.amountCents, 0), line(credit, 0, row.amountCents)];
}
