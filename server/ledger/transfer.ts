// Transfers as they are posted, and the ledger's answer.

/** Content of a memo: a few words for the screens, and the ids by which a room finds its records again. */
export type Memo = Readonly<Record<string, string | number | boolean | null>>;

/** One debit, one credit. Amounts are integer cents (points for the asset PTS), always positive. */
export interface Transfer {
  /** Transfers of one call that share a key are linked: posted all or none, once for ever. */
  key: string;
  debitAccount: number;
  creditAccount: number;
  amountCents: number;
  kind: string;
  /** Compared when a key is used again: a repeated call must build the same memo. */
  memo?: Memo;
  /** When it happened, database time by default. The order of the journal is by id, never by this. */
  at?: Date;
}

export interface Posted {
  id: number;
  key: string;
  at: Date;
  debitBalanceCents: number;
  creditBalanceCents: number;
  /** True when the key had already done exactly this: nothing was written now. */
  replayed: boolean;
}
