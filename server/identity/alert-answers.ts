// « C'était moi », « Pas moi »: an alert on a login answered within the portal. Only a browser that the
// person used before the login answers, never the session that the alert is about: whoever came in as an
// intruder answers nothing in the owner's name.
import { Problem } from "#contract/errors.ts";
import type { Output } from "#contract/endpoint.ts";
import type { signIn } from "#contract/identity/sign-in.ts";
import { signIn as limits } from "#contract/limits.ts";
import { type Db, inTx } from "#server/db/db.ts";
import type { Call } from "#server/http/serve.ts";
import { deny } from "./alerts.ts";
import { deviceOf } from "./device-words.ts";
import { hashOf } from "./devices.ts";
import { audit } from "./audit.ts";

type Asking = Pick<Call<typeof signIn.alerts>, "deps" | "caller" | "request">;

/** Alerts that the caller's browser may answer, the latest first. */
export async function readOpenAlerts(call: Asking): Promise<Output<typeof signIn.alerts>> {
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

function answerable(db: Db, { deps, caller, request }: Asking) {
  const carried = request.cookies[limits.deviceCookie] ?? "";
  return db
    .selectFrom("login_alert as a")
    .innerJoin("known_device as d", "d.person_id", "a.person_id")
    .whereRef("d.first_at", "<", "a.at")
    .where("d.hash", "=", hashOf(carried))
    .where("a.person_id", "=", caller.personId)
    .where("a.session_id", "<>", caller.sessionId)
    .where("a.contact_change_id", "is", null)
    .where("a.used_at", "is", null)
    .where("a.confirmed_at", "is", null)
    .where("a.expires_at", ">", deps.now());
}

/**
 * « C'était moi » leaves the link of the message as it is; « Pas moi » does what the link does. Refuses
 * `alert_over` for an alert that this browser may not answer, or that was answered.
 */
export async function answerAlert(
  call: Call<typeof signIn.answerAlert>,
): Promise<Output<typeof signIn.answerAlert>> {
  const { deps, caller, origin, input } = call;
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
      .updateTable("login_alert")
      .set({ confirmed_at: at })
      .where("id", "=", alert.id)
      .execute();
    await audit(tx, {
      personId: caller.personId,
      action: "login.confirmed",
      actor: "person",
      address: origin.address,
      at,
    });
    return { message: "C’est noté." };
  });
}
