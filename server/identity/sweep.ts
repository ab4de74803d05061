// Deletes expired records of the identity room.
import { codes, login, signIn } from "#contract/limits.ts";
import type { Deps } from "#server/process/deps.ts";

const endedSessionRetentionDays = 30;

/** Deletes codes, counters of failures, challenges and sessions that ended long ago. */
export async function sweep({ db, now }: Deps): Promise<void> {
  const before = (seconds: number) => new Date(now().getTime() - seconds * 1000);
  // A code's row also counts the sends of its window: it outlives the code itself.
  const codesBefore = before(codes.lifeSeconds + codes.sendWindowSeconds);
  await db.deleteFrom("code").where("createdAt", "<", codesBefore).execute();
  await db
    .deleteFrom("limiter")
    .where("updatedAt", "<", before(login.memorySeconds))
    .where((row) => row.or([row("blockedUntil", "is", null), row("blockedUntil", "<", now())]))
    .execute();
  await db.deleteFrom("passkeyChallenge").where("expiresAt", "<", now()).execute();
  await db.deleteFrom("loginAlert").where("expiresAt", "<", now()).execute();
  await db
    .deleteFrom("contactChange")
    .where("at", "<", before(signIn.alertDays * 86_400))
    .execute();
  await db
    .deleteFrom("knownDevice")
    .where("lastAt", "<", before(signIn.deviceDays * 86_400))
    .execute();
  await db
    .deleteFrom("session")
    .where("endsAt", "<", before(endedSessionRetentionDays * 86_400))
    .execute();
}
