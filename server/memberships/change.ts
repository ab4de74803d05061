// A write on the caller's open request: checked, locked and counted; answers the whole page.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { canWritePart, type MembershipPart } from "#contract/memberships/states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import { barredFrom, pageOf } from "./memberships.ts";
import {
  type JoinedService,
  lockOpenRequest,
  type MembershipRow,
  requireService,
} from "./requests.ts";

/** Arguments of every call of the room. */
export interface MembershipCall {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: { service: string; version?: number };
}

interface OpenRequest {
  row: MembershipRow;
  service: JoinedService;
  at: Date;
}

/**
 * Runs `change` on the caller's open request, then counts the write. Refuses `not_found` without an open
 * request, `membership_changed` when the caller has not read its last version, and, while it is a draft, as
 * `requireMayAsk` does.
 */
export async function changeRequest(
  { deps, caller, input }: MembershipCall,
  change: (tx: Tx, request: OpenRequest) => Promise<void>,
): Promise<MembershipPage> {
  await inTx(deps.db, async (tx) => {
    const service = await requireService(tx, input.service);
    const row = await lockOpenRequest(tx, caller.personId, service.code);
    if (!row) throw new Problem("membership_closed");
    if (input.version !== undefined && input.version !== row.version) {
      throw new Problem("membership_changed");
    }
    if (row.state === "draft") await requireMayAsk(tx, caller.personId, service);
    const at = deps.now();
    await change(tx, { row, service, at });
    await sql`update membership set version = version + 1, changed_at = ${at}
      where id = ${row.id}`.execute(tx);
  });
  return await pageOf(deps, caller.personId, input.service);
}

/** Refuses `membership_service_closed`, `membership_own_company`, `family_minor`. */
export async function requireMayAsk(
  tx: Tx,
  personId: number,
  service: JoinedService,
): Promise<void> {
  if (service.closed !== null) {
    throw new Problem("membership_service_closed", { why: service.closed });
  }
  const barred = await barredFrom(tx, personId);
  if (barred === "company") throw new Problem("membership_own_company");
  if (barred === "minor") throw new Problem("family_minor");
}

/** Refuses `membership_closed` for a part that may not be written in the state of the request. */
export function requirePart(row: MembershipRow, part: MembershipPart): void {
  if (!canWritePart(row, part)) throw new Problem("membership_closed");
}
