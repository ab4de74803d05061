// A top-up as it is first written down, whoever starts it and for whatever.
import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Tables } from "#server/db/tables.ts";
import type { ProviderName } from "./provider.ts";

type Row = Insertable<Tables["topUp"]>;

interface InitialTopUp {
  walletId: number;
  /** Who pays, or for whom somebody else does. */
  personId: number;
  amountCents: number;
  provider: ProviderName;
  at: Date;
}

/** The row of a top-up that begins; `more` says what it settles, where it comes from, how it is charged. */
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
