// The row of a new top-up, whoever starts it and for whatever purpose.
import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Tables } from "#server/db/tables.ts";
import type { ProviderName } from "./provider.ts";

type Row = Insertable<Tables["topUp"]>;

interface InitialTopUp {
  walletId: number;
  /** The payer, or the person for whom somebody else pays. */
  personId: number;
  amountCents: number;
  provider: ProviderName;
  at: Date;
}

/** The row of a new top-up; `more` says what it settles, where it comes from, how it is charged. */
export function newTopUp(
  { walletId, personId, amountCents, provider, at }: InitialTopUp,
  more: Partial<Row>,
): Row & { id: string } {
  return {
    walletId,
    personId,
    amountCents,
    state: "initiated",
    provider,
    createdAt: at,
    updatedAt: at,
    ...more,
    id: randomUUID(),
  };
}
