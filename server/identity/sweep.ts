// Forgets what only served for a while.
import { codes, login, signIn } from "#contract/limits.ts";
import type { Deps } from "#server/process/deps.ts";

const endedSessionsKeptDays = 30;

/** Deletes codes, counters of failures, challenges and sessions that ended long ago. */
export async function sweep({ db, now }: Deps): Promise<void> {
  const before = (seconds: number) => new Date(now().getTime() - seconds * 1000);
  // A code's row also counts the sends of its window: it outlives the code itself.
  const codesBefore = before(codes.lifeSeconds + codes.sendWindowSeconds);
  await db.deleteFrom("code").where("created_at", "<", codesBefore).execute();
  await db
    .deleteFrom("limiter")
    .where("updated_at", "<", before(login.memorySeconds))
    .where((row) => row.or([row("blocked_until", "is", null), row("blocked_until", "<", now())]))
    .execute();
  await db.deleteFrom("passkey_challenge").where("expires_at", "<", now()).execute();
  await db.deleteFrom("login_alert").where("expires_at", "<", now()).execute();
  await db
    .deleteFrom("contact_change")
    .where("at", "<", before(signIn.alertDays * 86_400))
    .execute();
  await db
    .deleteFrom("known_device")
    .where("last_at", "<", before(signIn.deviceDays * 86_400))
    .execute();
  await db
    .deleteFrom("session")
    .where("ends_at", "<", before(endedSessionsKeptDays * 86_400))
    .execute();
}
