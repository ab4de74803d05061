// One's open sessions, listed and ended from any of them (docs/decisions/008).
import { sql } from "kysely";
import { session as limits, signIn as signInLimits } from "#contract/limits.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { plural } from "#contract/french.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { inTx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { deviceOf } from "./device-words.ts";
import { forgetDevices } from "./devices.ts";
import { auditAct } from "./audit.ts";
import { closeMoneyProof, toMoneyProofView } from "./money-proof.ts";
import { endSessions } from "./session-end.ts";

/** SQL: whether a row of `session` is open. One whose last token has expired is not: it can neither be used nor renewed. */
export const isOpenSession = (now: Date) =>
  sql<boolean>`(ended_at is null and ends_at > ${now}
    and renewed_at > ${new Date(now.getTime() - limits.tokenSeconds * 1000)})`;

/** One's open sessions, this one first. */
export async function sessions({
  deps,
  caller,
}: Call<typeof signIn.sessions>): Promise<Output<typeof signIn.sessions>> {
  const now = deps.now();
  const rows = await deps.db
    .selectFrom("session")
    .select(["id", "agent", "address", "createdAt", "moneyUntil", "moneyCents"])
    .select(sql<Date>`greatest(seen_at, renewed_at)`.as("usedAt"))
    .where("personId", "=", caller.personId)
    .where(isOpenSession(now))
    .orderBy(sql`id = ${caller.sessionId}`, "desc")
    .orderBy("usedAt", "desc")
    .execute();
  return {
    items: rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.agent),
      address: row.address,
      openedAt: row.createdAt.toISOString(),
      lastUsedAt: row.usedAt.toISOString(),
      current: row.id === caller.sessionId,
      moneyProof: toMoneyProofView(row, now),
    })),
  };
}

/** Ends one of one's sessions at once, on every process; `not_found` when it is not one's own. */
export async function endSession({
  deps,
  caller,
  input,
  origin,
}: Call<typeof signIn.endSession>): Promise<Output<typeof signIn.endSession>> {
  const at = deps.now();
  const device = await inTx(deps.db, async (tx) => {
    const ended = await tx
      .updateTable("session")
      .set({ endedAt: at, endedWhy: "elsewhere" })
      .where("id", "=", input.id)
      .where("personId", "=", caller.personId)
      .where("endedAt", "is", null)
      .returning("agent")
      .executeTakeFirst();
    if (!ended) throw new Problem("not_found");
    await publishChange(tx, caller.personId, "session", "activity");
    await auditAct(tx, { caller, origin }, "session.end", {
      details: { device: deviceOf(ended.agent) },
      at,
    });
    return deviceOf(ended.agent);
  });
  return { message: `${device} : déconnecté.` };
}

/**
 * Ends what a proof opened in one of one's sessions: its next payment asks for a proof again. Answers the same
 * where nothing was open; `not_found` when the session is not one's own, or is over.
 */
export async function endMoneyProof({
  deps,
  caller,
  input,
  origin,
}: Call<typeof signIn.endMoneyProof>): Promise<Output<typeof signIn.endMoneyProof>> {
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    const closed = await closeMoneyProof(tx, caller, { session: input.id, at });
    if (!closed) throw new Problem("not_found");
    if (!closed.wasOpen) return;
    const details = { device: deviceOf(closed.agent) };
    await auditAct(tx, { caller, origin }, "session.end_money_proof", { details, at });
  });
  return { message: "Les paiements qui demandent une confirmation la demanderont de nouveau." };
}

/** Ends all of one's sessions but this one; the browsers known until now are unknown again. */
export async function endOtherSessions({
  deps,
  caller,
  origin,
  request,
}: Call<typeof signIn.endOtherSessions>): Promise<Output<typeof signIn.endOtherSessions>> {
  const at = deps.now();
  const { personId, sessionId } = caller;
  const ended = await inTx(deps.db, async (tx) => {
    const except = request.cookies?.[signInLimits.deviceCookie];
    await forgetDevices(tx, personId, { except });
    const count = await endSessions(tx, personId, { except: sessionId, why: "everywhere", at });
    await auditAct(tx, { caller, origin }, "session.end_others", { details: { ended: count }, at });
    return count;
  });
  const message =
    ended === 0
      ? "Aucune autre connexion n'était ouverte."
      : `${plural(ended, "connexion fermée", "connexions fermées")}. Celle-ci reste ouverte.`;
  return { message, ended };
}
