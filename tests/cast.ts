// The cast of every test, put once into the template database: the people, and what they own.
import { openDb, inTx } from "#server/db/db.ts";
import { cast, castPeople, type CastName } from "#server/demo/cast.ts";
import { post } from "#server/ledger/ledger.ts";
import { openWallet, schemeAccount } from "#server/wallet/wallet.ts";

export { cast, castPassword, type CastName } from "#server/demo/cast.ts";

/** What each main wallet holds when a test begins, in cents. */
export const openingCents: Partial<Record<CastName, number>> = {
  guardian: 12_000,
  child: 3_550,
  secondChild: 820,
  coGuardian: 4_000,
  stranger: 2_500,
};

/** Fills a migrated database with the cast. */
export async function castInto(url: string): Promise<void> {
  const { db, close } = openDb(url, { max: 1 });
  try {
    await inTx(db, async (tx) => {
      const now = new Date();
      const people = await castPeople(tx, now);
      const from = await schemeAccount(tx, "payments:sandbox");
      for (const name of Object.keys(cast) as CastName[]) {
        const { id } = await openWallet(tx, { personId: people[name] });
        const amountCents = openingCents[name];
        if (amountCents === undefined) continue;
        const { accountId } = await tx
          .selectFrom("walletLot")
          .select("accountId")
          .where("walletId", "=", id)
          .executeTakeFirstOrThrow();
        await post(tx, [
          {
            key: `opening:${name}`,
            debitAccount: from,
            creditAccount: accountId,
            amountCents,
            kind: "top_up",
            memo: { label: "Solde d'ouverture" },
            at: now,
          },
        ]);
      }
    });
  } finally {
    await close();
  }
}
