// Expiry of points: those whose last day is past leave their lots, once, and the person is notified.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { lockedBalances, post } from "#server/ledger/ledger.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { namesOfCompany } from "./point-balances.ts";

interface DueLot {
  accountId: number;
  personId: number;
  name: string;
  /** Of the lot. */
  day: string;
}

const batch = 500;

/** Empties the lots whose last day is past; gives how many points expired. */
export async function expirePoints(deps: Deps): Promise<number> {
  const today = parisDay(deps.now());
  let lost = 0;
  for (;;) {
    const { rows } = await sql<DueLot>`
      select l.account_id, l.person_id, l.expires_on as day,
        ${namesOfCompany(sql.ref("l.company_id"))} as name
      from point_lot l where l.expired_at is null and l.expires_on < ${today}::date
      order by l.account_id limit ${batch}`.execute(deps.db);
    for (const lot of rows) lost += await inTx(deps.db, (tx) => expireLot(tx, deps, lot));
    if (rows.length < batch) return lost;
  }
}

async function expireLot(tx: Tx, deps: Deps, lot: DueLot): Promise<number> {
  const at = deps.now();
  const { rows } = await sql`update point_lot set expired_at = ${at}
    where account_id = ${lot.accountId} and expired_at is null returning account_id`.execute(tx);
  if (rows.length === 0) return 0;
  const [balance] = await lockedBalances(tx, [lot.accountId]);
  const points = balance?.balanceCents ?? 0;
  if (points === 0) return 0;
  await post(tx, [
    {
      key: `points:expiry:${lot.accountId}`,
      debitAccount: lot.accountId,
      creditAccount: await schemeAccount(tx, "points"),
      amountCents: points,
      kind: "points_expired",
      memo: { label: lot.name },
      at,
    },
  ]);
  await announce(tx, deps, {
    to: [lot.personId],
    about: "expiry",
    title: "Des points ont expiré",
    body: `${lot.name}\u202f: ${plural(points, "point n’a pas été utilisé", "points n’ont pas été utilisés")} à temps.`,
    path: paths.points,
    at,
    changed: ["wallets"],
  });
  return points;
}
