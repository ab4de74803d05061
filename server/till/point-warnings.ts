// Warns holders once, some days before, that points expire.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { loyalty as limits } from "#contract/till/point-limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { namesOfCompany } from "./point-balances.ts";

interface EndingLot {
  accountId: number;
  personId: number;
  name: string;
  day: string;
}

const batch = 500;

/** Announces points whose last day is within `soonDays`; gives for how many lots. */
export async function warnOfPoints(deps: Deps): Promise<number> {
  const today = parisDay(deps.now());
  const until = addDays(today, limits.soonDays);
  let warnedCount = 0;
  for (;;) {
    const { rows } = await sql<EndingLot>`
      select l.account_id, l.person_id, l.expires_on as day,
        ${namesOfCompany(sql.ref("l.company_id"))} as name
      from point_lot l where l.warned_at is null and l.expired_at is null
        and l.expires_on between ${today}::date and ${until}::date
      order by l.account_id limit ${batch}`.execute(deps.db);
    for (const lot of rows) if (await inTx(deps.db, (tx) => warn(tx, deps, lot))) warnedCount += 1;
    if (rows.length < batch) return warnedCount;
  }
}

/** Gives whether there were points to announce; two concurrent runs announce once. */
async function warn(tx: Tx, deps: Deps, lot: EndingLot): Promise<boolean> {
  const at = deps.now();
  const found = await query(tx).maybeOne(sql<{ points: number }>`
    update point_lot l set warned_at = ${at} from ledger_account a
    where l.account_id = ${lot.accountId} and l.warned_at is null and a.id = l.account_id
    returning a.balance as points`);
  const points = found?.points ?? 0;
  if (points === 0) return false;
  const worth = formatMoney(points * limits.pointCents);
  await announce(tx, deps, {
    to: [lot.personId],
    about: "expiry",
    title: "Des points finissent bientôt",
    body: `${lot.name}\u202f: ${plural(points, "point")}, soit ${worth} de remise, à utiliser jusqu'au ${formatDate(lot.day)}.`,
    path: paths.points,
    at,
    changed: ["wallets"],
    channels: "outside",
  });
  return true;
}
