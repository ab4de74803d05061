// Notices of granted money: to the bearer of each card, and to the people of the company who see its money.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { peopleOf } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { announce, type Payer } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import type { GrantRow } from "./grant-rows.ts";

type MessageDeps = Pick<Deps, "send" | "config">;
type Named = Pick<GrantRow, "id" | "number" | "companyId" | "label">;

/** Path of the wallet where a bearer sees the money of a grant. */
async function walletPathOf(tx: Tx, personId: number, groupId: number): Promise<string> {
  const found = await query(tx).maybeOne(sql<{ objectID: string }>`
    select object_id as "objectID" from wallet
    where person_id = ${personId} and group_id = ${groupId}`);
  return found ? linkTo(paths.movements, { objectID: found.objectID }) : paths.dashboard;
}

/** Tells a bearer, by the channels that they chose. */
export async function announceToBearer(
  tx: Tx,
  deps: MessageDeps,
  to: { personId: number; groupId: number },
  { title, body, at }: { title: string; body: string; at: Date },
): Promise<void> {
  await announce(tx, deps, {
    about: "expiry",
    to: [to.personId],
    title,
    body,
    path: await walletPathOf(tx, to.personId, to.groupId),
    changed: ["grants", "wallets"],
    channels: "outside",
    at,
  });
}

/** Tells the owners and the accountants of the company. */
export async function announceToCompany(
  tx: Tx,
  deps: MessageDeps,
  row: Named,
  { title, what, at, payer }: { title: string; what: string; at: Date; payer?: Payer },
): Promise<void> {
  await announce(tx, deps, {
    about: "expiry",
    to: await peopleOf(tx, row.companyId, companyCan.seeMoney),
    title,
    body: `Dotation n° ${row.number}, «\u00a0${row.label}\u00a0»\u00a0: ${what}`,
    path: linkTo(paths.grants, {}, { grant: row.id }),
    changed: ["grants", "wallets"],
    at,
    ...(payer && { payer }),
  });
}

/**
 * Tells each bearer the amount, where and until when it can be spent; and the company that the grant is done.
 */
export async function announceGranted(
  tx: Tx,
  deps: MessageDeps,
  row: GrantRow,
  details: { lines: readonly { personId: number; amountCents: number }[]; payer: Payer; at: Date },
): Promise<void> {
  const { lines, payer, at } = details;
  for (const { personId, amountCents } of lines) {
    await announceToBearer(
      tx,
      deps,
      { personId, groupId: row.groupId },
      {
        title: `${row.company} vous accorde ${formatMoney(amountCents)}`,
        body:
          `«\u00a0${row.label}\u00a0», à utiliser avec votre carte jusqu'au ${formatDate(row.expiresOn)}. ` +
          `${row.rule} Ce qui n'est pas dépensé d'ici là revient à l'entreprise.`,
        at,
      },
    );
  }
  await announceToCompany(tx, deps, row, {
    title: "Dotation accordée",
    what: `${formatMoney(row.totalCents)} sont sur ${plural(lines.length, "carte")}, jusqu'au ${formatDate(row.expiresOn)}.`,
    payer,
    at,
  });
}
