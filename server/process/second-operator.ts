// Commands that create or undo money are run by two accounts of the operating system (four-eyes principle,
// https://en.wikipedia.org/wiki/Two-person_rule): the first call of a command is stored as a request, and the
// same command by another account executes it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDateTime } from "#contract/french.ts";
import { operator as limits } from "#contract/limits.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { OperatorDeps } from "./room.ts";

/** A command that waits for a second operator. */
export interface OperatorRequest {
  number: number;
  command: string;
  arguments: readonly string[];
  /** The reason given by the requester; null where the command takes none. */
  reason: string | null;
  requesterAccount: string;
  requestedAt: Date;
  expiresAt: Date;
}

/** Result of a command: the lines to print; `isReplay` where all of it was done before. */
export interface CommandEffect {
  lines: readonly string[];
  isReplay?: boolean;
}

interface CommandCall {
  command: string;
  /** The arguments that the second operator must repeat; free text, as a reason, is left out. */
  arguments: readonly string[];
  reason?: string;
  /** The account of the operating system that runs the command. */
  account: string;
}

/**
 * Runs `work` if another account requested the same command before, and gives its lines. Otherwise runs
 * `work` and rolls it back, so that refusals show at once, and stores the request: then the lines say what
 * would be done, and how to confirm it. `work` may have no effect outside `tx`; `requestedBy` is null during the
 * trial run. Throws as `work`.
 */
export function byTwoAccounts(
  deps: Pick<OperatorDeps, "db" | "now">,
  call: CommandCall,
  work: (tx: Tx, requestedBy: string | null) => Promise<CommandEffect>,
): Promise<{ lines: readonly string[]; isDone: boolean }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    await expireRequests(tx, at);
    const waiting = await waitingRequest(tx, call);
    if (waiting && waiting.requesterAccount !== call.account) {
      const { lines } = await work(tx, waiting.requesterAccount);
      await sql`update operator_request set state = 'confirmed', answered_account = ${call.account},
        answered_at = ${at} where number = ${waiting.number}`.execute(tx);
      return { lines, isDone: true };
    }
    await sql`savepoint tried`.execute(tx);
    const { lines, isReplay } = await work(tx, null);
    if (isReplay) return { lines, isDone: true };
    await sql`rollback to savepoint tried`.execute(tx);
    const request = waiting ?? (await insertRequest(tx, call, at));
    const waits =
      `Rien n'est fait\u202f: demande n° ${request.number} de ${request.requesterAccount}. Un autre compte du ` +
      `système lance la même commande avant le ${formatDateTime(request.expiresAt)}.`;
    return { lines: [...lines.map((line) => `à confirmer\u202f: ${line}`), waits], isDone: false };
  });
}

/** Pending requests, the oldest first. */
export async function waitingRequests(db: Db, now: Date): Promise<OperatorRequest[]> {
  const { rows } = await sql<OperatorRequest>`
    select ${requestColumns} from operator_request
    where state = 'requested' and expires_at > ${now} order by number limit 200`.execute(db);
  return rows;
}

/** Withdraws a request, one's own or another's. Refuses `not_found` for one that is not pending. */
export async function withdrawRequest(
  { db, now }: Pick<OperatorDeps, "db" | "now">,
  number: number,
  account: string,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update operator_request set state = 'withdrawn', answered_account = ${account},
      answered_at = ${now()}
    where number = ${number} and state = 'requested'`.execute(db);
  if (numAffectedRows !== 1n) throw new Problem("not_found");
}

const requestColumns = sql`number, command, arguments, reason, requester_account,
  requested_at, expires_at`;

async function waitingRequest(tx: Tx, call: CommandCall): Promise<OperatorRequest | null> {
  return await query(tx).maybeOne(sql<OperatorRequest>`
    select ${requestColumns} from operator_request
    where command = ${call.command} and arguments = ${call.arguments}::text[] and state = 'requested'
    for update`);
}

async function insertRequest(tx: Tx, call: CommandCall, at: Date): Promise<OperatorRequest> {
  const expiresAt = new Date(at.getTime() + limits.requestHours * 3_600_000);
  await sql`
    insert into operator_request (command, arguments, reason, requester_account, requested_at, expires_at)
    values (${call.command}, ${call.arguments}::text[], ${call.reason ?? null}, ${call.account}, ${at}, ${expiresAt})
    on conflict (command, arguments) where state = 'requested' do nothing`.execute(tx);
  // Another account may have requested it at the same moment: then that request is the pending one.
  const waiting = await waitingRequest(tx, call);
  if (!waiting) throw new Error("the request just written is not there");
  return waiting;
}

const expireRequests = (tx: Tx, at: Date) =>
  sql`update operator_request set state = 'expired', answered_at = ${at}
    where state = 'requested' and expires_at <= ${at}`.execute(tx);
