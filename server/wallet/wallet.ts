// Wallets: the money of people, the accounts that form a wallet, who may see it, in which order it is spent.
// Refuses a frozen wallet, a card that may not spend, and any wallet that is not the caller's or their
// child's, in the same words as one that does not exist.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockAnyTiesForShare, mayActFor } from "#server/family/family.ts";
import { openAccount, post, postedUnder } from "#server/ledger/ledger.ts";
import { mainGroup } from "./lots.ts";
import { expireLots } from "./expiry.ts";
import { walletsWhere, type WalletState } from "./states.ts";

export { type Fund, mainGroup } from "./lots.ts";
export { requireUsableCard, reserve, spend, spendableNow } from "./spending.ts";
export { transfer } from "./transfers.ts";
export { sentTransfer } from "./sent-transfers.ts";
export { lockOutgoing, outgoingCents, outgoingLockSql } from "./outgoing.ts";
export { mainWalletsOf, spendableIn } from "./states.ts";
export { statementsOf } from "./statement.ts";
export { debtLeftSql, repaidOf } from "./debts.ts";
export { emptyWallets, returnableAidCents, returnAids, closingBalanceOf } from "./closing.ts";
export { unfreezeWallet } from "./freezing.ts";
export { onReversed, repayDebt, type ReversedTransfer } from "./reversals.ts";
export { refundKey, refundsUnder } from "./refund-keys.ts";
export { aidReturned, onAidReturned, type ReturnedAid } from "./returned-aids.ts";

/**
 * Opens a person's wallet in an acceptance group, with its account of purchased money; answers its id. The
 * same person and group again answers the existing wallet (spec.md 13, 17 and 18).
 */
export async function openWallet(
  tx: Tx,
  options: { personId: number; groupId?: number; name?: string; at?: Date },
): Promise<{ id: number; objectID: string }> {
  const { personId, groupId = mainGroup } = options;
  const wallet = await query(tx).maybeOne(sql<{ id: number; objectID: string }>`
    insert into wallet (person_id, group_id, name, slug, created_at)
    select ${personId}::bigint, id, coalesce(${options.name ?? null}::text, name), slug,
      coalesce(${options.at ?? null}::timestamptz, now())
    from acceptance_group where id = ${groupId}
    on conflict (person_id, group_id) do nothing
    returning id, object_id as "objectID"`);
  if (!wallet) {
    return await tx
      .selectFrom("wallet")
      .select(["id", "objectId as objectID"])
      .where("personId", "=", personId)
      .where("groupId", "=", groupId)
      .executeTakeFirstOrThrow();
  }
  const accountId = await openAccount(tx, { kind: "wallet", asset: "EUR", floorCents: 0 });
  await addLot(tx, { walletId: wallet.id, accountId, kind: "purchased", label: "Argent rechargé" });
  return wallet;
}

/**
 * Credits a wallet with money that is not the holder's own (an employer's aid, a family quotient): a lot of
 * its own, spent before purchased money, expired at the end of `expiresOn`. Amount in cents. `giver` is the
 * scheme's account that it comes from and that it goes back to unused; without one it comes from `grants`.
 * The same key again changes nothing; with another amount it is refused (`idempotency_mismatch`).
 */
export async function grant(
  tx: Tx,
  aid: {
    walletId: number;
    amountCents: number;
    label: string;
    expiresOn: string | null;
    key: string;
    giver?: SchemeAccount;
    at: Date;
  },
): Promise<{ accountId: number; replayed: boolean }> {
  const before = (await postedUnder(tx, aid.key))[0];
  if (before) {
    if (before.amountCents !== aid.amountCents) throw new Problem("idempotency_mismatch");
    return { accountId: before.creditAccount, replayed: true };
  }
  const accountId = await openAccount(tx, { kind: "wallet", asset: "EUR", floorCents: 0 });
  const giver = await schemeAccount(tx, aid.giver ?? "grants");
  await addLot(tx, { ...aid, accountId, kind: "granted", returnsTo: aid.giver ? giver : null });
  await post(tx, [
    {
      key: aid.key,
      debitAccount: giver,
      creditAccount: accountId,
      amountCents: aid.amountCents,
      kind: "grant",
      memo: { label: aid.label },
      at: aid.at,
    },
  ]);
  return { accountId, replayed: false };
}

interface NewLot {
  walletId: number;
  accountId: number;
  kind: "purchased" | "granted";
  label: string;
  expiresOn?: string | null;
  returnsTo?: number | null;
}

async function addLot(tx: Tx, lot: NewLot): Promise<void> {
  await tx
    .insertInto("walletLot")
    .values({
      accountId: lot.accountId,
      walletId: lot.walletId,
      kind: lot.kind,
      label: lot.label,
      expiresOn: lot.expiresOn ?? null,
      expiredAt: null,
      returnsTo: lot.returnsTo ?? null,
    })
    .execute();
}

/** The scheme's own ledger accounts, opened by the migrations. */
export type SchemeAccount =
  | "payments:sandbox"
  | "payments:stripe"
  | "suspense"
  | "disputes"
  | "returns"
  | "grants"
  | "expired"
  | "purchases"
  | "transport"
  | "closures"
  | "bank"
  | "subscriptions"
  | "tickets"
  | "meals"
  | "tills"
  | "employers"
  | "invoices"
  | "commissions"
  | "vat"
  | "payouts"
  | "points"
  | "pro_cards"
  | "company_grants"
  | "grant_credits";

/** French names of the scheme's own accounts, for the operator. */
export const schemeAccountNames: Readonly<Record<SchemeAccount, string>> = {
  "payments:sandbox": "paiements fictifs",
  "payments:stripe": "paiements Stripe",
  suspense: "compte d'attente",
  disputes: "litiges",
  returns: "trop-perçus à rendre",
  grants: "aides",
  expired: "aides expirées",
  purchases: "achats",
  transport: "titres de transport",
  closures: "comptes fermés à rendre",
  bank: "banque",
  subscriptions: "abonnements",
  tickets: "e-billets",
  meals: "repas",
  tills: "achats en caisse",
  employers: "parts dues par les employeurs",
  invoices: "factures",
  commissions: "commissions",
  vat: "TVA collectée",
  payouts: "virements émis",
  points: "points de fidélité",
  pro_cards: "cartes pro",
  company_grants: "dotations des entreprises",
  grant_credits: "dotations à crédit, à recevoir",
};

/** Id of one of the scheme's own accounts. */
export async function schemeAccount(db: Db, name: SchemeAccount): Promise<number> {
  const { accountId } = await db
    .selectFrom("schemeAccount")
    .select("accountId")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return accountId;
}

/**
 * A wallet of the caller or of their child, by its public id, with its lots and holds. Anyone else's is
 * `not_found`.
 */
export async function walletOf(
  { db, now }: Pick<Deps, "db" | "now">,
  personId: number,
  objectID: string,
): Promise<WalletState> {
  const mine = mayActFor(personId, sql.ref("w.person_id"));
  const condition = sql`w.object_id = ${objectID} and ${mine}`;
  const found = await walletsWhere(db, condition, now(), "wallet-by-condition");
  if (!found[0]) throw new Problem("not_found");
  return found[0];
}

/**
 * The first lock of an action on wallets: the ties with their owners, where there are any
 * (`lockAnyTiesForShare`).
 */
export const lockTiesOfWallets = (
  tx: Tx,
  actor: number,
  objectIDs: readonly string[],
): Promise<void> =>
  lockAnyTiesForShare(
    tx,
    actor,
    sql`select person_id from wallet where object_id = any (${[...objectIDs]}::uuid[])`,
  );

/** Blocks all spending from a wallet until an operator has checked it (spec.md 19). */
export async function freezeWallet(
  tx: Tx,
  walletId: number,
  { why, at }: { why: string; at: Date },
): Promise<void> {
  await tx
    .updateTable("wallet")
    .set({ frozenAt: at, frozenWhy: why })
    .where("id", "=", walletId)
    .where("frozenAt", "is", null)
    .execute();
}

/** The jobs of this room. */
export function walletTasks(deps: Deps) {
  return { expire_lots: () => expireLots(deps) };
}

/** Schedule of the jobs (UTC). Hourly, so that a day ends at midnight in Paris. */
export const walletRoutines = [{ task: "expire_lots", cron: "5 * * * *" }] as const;
