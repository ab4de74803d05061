// A provider's declarations of its purchases, year by year (law EGalim).
import { sql } from "kysely";
import type { PurchaseShare } from "#contract/kitchen/purchases.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import type { ProviderCall } from "./canteens.ts";

/** The shares that a provider declared, the latest year first. */
export async function purchaseSharesOf(db: Db, providerId: number): Promise<PurchaseShare[]> {
  const { rows } = await sql<PurchaseShare>`
    select year, sustainable, organic from canteen_purchase_share
    where provider_id = ${providerId} order by year desc`.execute(db);
  return rows;
}

/** The shares of the caller's provider. */
export async function readPurchaseShares({ deps, provider }: ProviderCall<unknown>) {
  return { items: await purchaseSharesOf(deps.db, provider.id) };
}

/**
 * Declares the shares of a year, in whole percent of the value bought; families read them from then on.
 * Refuses `purchase_share_year` for a year to come, `purchase_share_organic` for more organic than
 * sustainable.
 */
export async function declarePurchaseShare(call: ProviderCall<PurchaseShare>) {
  const {
    deps,
    provider: { id },
    input,
  } = call;
  const { year, sustainable, organic } = input;
  if (year > Number(parisDay(deps.now()).slice(0, 4))) throw new Problem("purchase_share_year");
  if (organic > sustainable) throw new Problem("purchase_share_organic");
  return await inCompanyTx(call, async (tx) => {
    await sql`insert into canteen_purchase_share (provider_id, year, sustainable, organic, written_at)
      values (${id}, ${year}, ${sustainable}, ${organic}, ${deps.now()})
      on conflict (provider_id, year) do update set sustainable = excluded.sustainable,
        organic = excluded.organic, written_at = excluded.written_at`.execute(tx);
    return { items: await purchaseSharesOf(tx, id) };
  });
}
