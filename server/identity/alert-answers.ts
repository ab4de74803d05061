// « C'était moi », « Pas moi »: an alert on a login answered within the portal. Only a browser that the
// person used before the login may answer, never the session that the alert is about: an intruder cannot
// answer in the owner's name.
import { Problem } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { signIn as limits } from "#contract/limits.ts";
import { type Db, inTx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { deny } from "./alerts.ts";
import { deviceOf } from "./device-words.ts";
import { hashOf } from "./devices.ts";
import { auditAct } from "./audit.ts";

type AlertsCall = Pick<Call<typeof signIn.alerts>, "deps" | "caller" | "request">;

/** Alerts that the caller's browser may answer, the latest first. */
export async function readOpenAlerts(call: AlertsCall): Promise<Output<typeof signIn.alerts>> {
  const rows = await answerable(call.deps.db, call)
    .select(["a.id", "a.agent", "a.address", "a.at"])
    .orderBy("a.at", "desc")
    .execute();
  return {
    items: rows.map(({ id, agent, address, at }) => ({
      id,
      device: deviceOf(agent),
      address,
      at: at.toISOString(),
    })),
  };
}

function answerable(db: Db, { deps, caller, request }: AlertsCall) {
  const carried = request.cookies[limits.deviceCookie] ?? "";
  return db
    .selectFrom("loginAlert as a")
    .innerJoin("knownDevice as d", "d.personId", "a.personId")
    .whereRef("d.firstAt", "<", "a.at")
    .where("d.hash", "=", hashOf(carried))
    .where("a.personId", "=", caller.personId)
    .where("a.sessionId", "<>", caller.sessionId)
    .where("a.contactChangeId", "is", null)
    .where("a.usedAt", "is", null)
    .where("a.confirmedAt", "is", null)
    .where("a.expiresAt", ">", deps.now());
}

/**
 * « C'était moi » leaves the link of the message unchanged; « Pas moi » does what the link does. Refuses
 * `alert_over` for an alert that this browser may not answer, or that was answered.
 */
export async function answerAlert(
  call: Call<typeof signIn.answerAlert>,
): Promise<Output<typeof signIn.answerAlert>> {
  const { deps, origin, input } = call;
  return await inTx(deps.db, async (tx) => {
    const alert = await answerable(tx, call)
      .select("a.id")
      .where("a.id", "=", input.alert)
      .forUpdate("a")
      .executeTakeFirst();
    if (!alert) throw new Problem("alert_over");
    if (!input.mine) return await deny(tx, deps, alert.id, origin);
    const at = deps.now();
    await tx
      .updateTable("loginAlert")
      .set({ confirmedAt: at })
      .where("id", "=", alert.id)
      .execute();
    await auditAct(tx, call, "login.confirmed", { at });
    return { message: "C’est noté." };
  });
}
