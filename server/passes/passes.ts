// Passes own the rights to ride: what a line group sells and at which price to whom, the purchase, the
// pass with its states and its signed QR. They refuse a second pass of a kind while one rides, a price
// that is no longer the one shown, and any pass or purchase that is not the caller's or their child's.
import { sql } from "kysely";
import type { PassState } from "#contract/pass-states.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Opposed } from "#server/cards/cards.ts";
import { reopenUnpaid, settlePaid } from "./at-provider.ts";
import { type FareFile, fareFile, fareGroups, loadFares } from "./catalogue.ts";
import { deskCommands, type PassCommand } from "./desk.ts";
import { movePasses } from "./jobs.ts";
import { anyPass } from "./list.ts";
import { mayReadOrder } from "./papers.ts";
import { requireCardInUse } from "./people.ts";
import { sellPass } from "./settle.ts";
import { readPassQr } from "./qr.ts";

export { fareGroups, mayReadOrder, reopenUnpaid, sellPass, settlePaid };
export type { FareFile, PassCommand };

/** What whoever checks a pass is told. */
export interface Ride {
  passId: string;
  personId: number;
  holder: string;
  name: string;
  /** The acceptance group whose lines it rides. */
  groupId: number;
  stop: string | null;
  state: PassState;
  validFrom: Date;
  validUntil: Date;
  /** Whether it rides now: active, of the last QR made, its holder's card in use. */
  good: boolean;
}

/**
 * The pass whose QR was read, as it is now; null when the token is not ours or was altered. A QR made
 * before a suspension, a duplicate or an opposition is told with `good` false.
 */
export async function passOfQr({ db, now }: Deps, token: string): Promise<Ride | null> {
  const told = await readPassQr(db, token);
  const row = told && (await anyPass(db, told.passId, now()));
  if (!told || !row) return null;
  const inUse = await requireCardInUse(db, row.holderId).then(
    () => true,
    () => false,
  );
  const { id: passId, holderId: personId, holder, name, groupId, state, stopName: stop } = row;
  const { validFrom, validUntil } = row;
  const good = state === "active" && told.revision === row.revision && inUse;
  return { passId, personId, holder, name, groupId, stop, state, validFrom, validUntil, good };
}

/** At an opposition every QR that is out there is refused; the passes wait for the next card. */
export async function revokeQrs(tx: Tx, _deps: Deps, { personId }: Opposed): Promise<void> {
  await sql`update pass set qr_revision = qr_revision + 1
    where holder_id = ${personId} and state in ('pending', 'active', 'suspended')`.execute(tx);
}

/** Puts fares on sale, as the operator's file says them (see `loadFares`). */
export async function putOnSale(tx: Tx, fares: FareFile): Promise<void> {
  await loadFares(tx, fareFile.parse(fares));
}

/** The jobs of this room. */
export function passTasks(deps: Deps) {
  return { move_passes: () => movePasses(deps) };
}

/** When they run by themselves (UTC). Hourly, so that a day begins where the scheme is. */
export const passRoutines = [{ task: "move_passes", cron: "1 * * * *" }] as const;

/** `npm run operator -- passes …`. */
export const passCommands: readonly PassCommand[] = deskCommands;
