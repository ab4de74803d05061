// Operator commands for wallets frozen by a dispute or a refund of spent money: show them and unfreeze them.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import {
  commandResult,
  type OperatorCommand,
  type OperatorDeps,
  reasonArgument,
} from "#server/process/room.ts";

interface FrozenWallet {
  id: number;
  name: string;
  owner: string;
  since: Date | null;
  why: string | null;
}

/** Commands `npm run operator -- wallets …`. */
export const walletCommands: readonly OperatorCommand[] = [
  {
    name: "wallets frozen",
    arguments: [],
    says: "montre les cagnottes bloquées",
    run: async ({ db }) => {
      const frozen = await walletsFrozen(db, sql`w.frozen_at is not null`);
      const lines = frozen.map((one) => `${one.objectID}  ${wordsOf(one)}`);
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune cagnotte n'est bloquée."] };
    },
  },
  {
    name: "wallets unfreeze",
    arguments: ["<cagnotte>", "[<motif>]"],
    says: "montre une cagnotte bloquée ; avec un motif, la débloque et prévient son porteur",
    run: (deps, [objectID = "", reason], operator) =>
      commandResult(() => unfreeze(deps, { objectID, reason, operator })),
  },
];

async function unfreeze(
  deps: OperatorDeps,
  {
    objectID,
    reason,
    operator,
  }: { objectID: string; reason: string | undefined; operator: string },
): Promise<readonly string[]> {
  const [found] = await walletsFrozen(deps.db, sql`w.object_id::text = ${objectID}`);
  if (!found) throw new Problem("not_found");
  if (found.since === null || reason === undefined) return [wordsOf(found)];
  const why = reasonArgument(reason);
  const done = await inTx(deps.db, (tx) =>
    unfreezeWallet(tx, deps, found.id, { why, operator, at: deps.now() }),
  );
  return [done ? `${found.name}, ${found.owner} : débloquée.` : wordsOf({ ...found, since: null })];
}

const whyNames: Readonly<Record<string, string>> = {
  disputed: "paiement contesté",
  refunded: "remboursement d'argent dépensé",
};

const wordsOf = ({ name, owner, since, why }: FrozenWallet): string =>
  since === null
    ? `${name}, ${owner} : n'est pas bloquée.`
    : `${name}, ${owner} : bloquée depuis le ${formatDate(since)}, ${whyNames[why ?? ""] ?? why}.`;

async function walletsFrozen(
  db: Db,
  condition: ReturnType<typeof sql>,
): Promise<(FrozenWallet & { objectID: string })[]> {
  const { rows } = await sql<FrozenWallet & { objectID: string }>`
    select w.id, w.object_id as "objectID", w.name, p.name as owner, w.frozen_at as since, w.frozen_why as why
    from wallet w join person p on p.id = w.person_id
    where ${condition} order by w.frozen_at, w.id limit 200`.execute(db);
  return rows;
}

/**
 * Unfreezes a wallet, by an operator who checked it: recorded in the audit trail with the reason, announced
 * to its holder. False when it was not frozen.
 */
export async function unfreezeWallet(
  tx: Tx,
  deps: Pick<OperatorDeps, "config" | "enqueue" | "send">,
  walletId: number,
  { why, operator, at }: { why: string; operator: string; at: Date },
): Promise<boolean> {
  const thawed = await query(tx).maybeOne(sql<{ personId: number; name: string }>`
    update wallet set frozen_at = null, frozen_why = null
    where id = ${walletId} and frozen_at is not null
    returning person_id, name`);
  if (!thawed) return false;
  const { personId, name } = thawed;
  await auditOperator(tx, operator, "wallet.unfreeze", { personId, details: { name, why }, at });
  await announce(tx, deps, {
    to: [personId],
    about: "top_up",
    title: "Cagnotte débloquée",
    body: `Votre cagnotte «\u00a0${name}\u00a0» n'est plus bloquée\u202f: vous pouvez de nouveau vous en servir.`,
    path: paths.wallets,
    at,
    changed: ["wallets", "passes", "cards"],
  });
  return true;
}
