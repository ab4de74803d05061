// What a line of the register is, and the words that its lines share.
import { type RawBuilder, sql } from "kysely";

/** Rows `t` of a person. */
export type Whose = (person: number) => RawBuilder<boolean>;

export interface Kept {
  table: string;
  /** What it is, in the words of the export and of the screen. */
  holds: string;
  whose: Whose;
  /** Columns that no export shows: secrets, keys of ours, and what is other people's. */
  hidden?: readonly string[];
  /** When the account closes; `set` gives columns their new SQL value. */
  onClose: "keep" | "delete" | { set: Readonly<Record<string, string>> };
  /** How long it is kept, for the screen. */
  howLong: string;
  /** What it is kept for, for the screen. */
  after: string;
  /** Rows older than `days` after `column` are deleted by the nightly job. */
  sweep?: { column: string; days: number; only?: string };
}

/** Rows that name the person in one of the columns. */
export const by =
  (...columns: string[]): Whose =>
  (person) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`t.${sql.ref(column)} = ${person}`),
      sql` or `,
    )})`;
/** Rows of the person's wallets. */
export const inWallet =
  (column: string): Whose =>
  (person) =>
    sql<boolean>`t.${sql.ref(column)} in (select id from wallet where person_id = ${person})`;
/** Rows of the ledger that touch the person's money. */
export const inAccount: Whose = (person) =>
  sql<boolean>`exists (select from wallet w join wallet_lot l on l.wallet_id = w.id
    where w.person_id = ${person} and l.account_id in (t.debit, t.credit))`;

export const tenYears = "10 ans";
export const accounting = "Obligation comptable";
export const security = "Sécurité du compte";
export const service = "Fonctionnement du service";
