// Hashing passwords: Argon2id in a process of lower priority, a few at once, the rest in a bounded queue, so
// that a flood of logins slows only logins.
import { Problem } from "#contract/errors.ts";
import { ofOnePerson } from "#contract/identity/limits.ts";
import { login } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { workProcess, WorkFailed } from "#server/process/work-process.ts";
import type { Bucket } from "./limiter.ts";
import type { PasswordTask } from "./password-worker.ts";

/**
 * A password that was chosen; `how`: with a code, at the first login, with the current one, with a recovery
 * code.
 */
export interface PasswordChosen {
  personId: number;
  how: "forgot" | "reset" | "change" | "recovery";
  address: string;
  at: Date;
}

/** Steps of later rooms when a person chose a password, in its transaction: a first card is activated. */
export const onPasswordChosen: ((tx: Tx, deps: Deps, chosen: PasswordChosen) => Promise<void>)[] =
  [];

/** The hash of a random password that nobody knows: compared for an unknown card, at equal cost. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$eDCGhX8PT3vBjDj1U2VqBA$yU0wZrnLk+MB9OBcY13LhB1+U4l3+JYybh9apaa0SDE";

const inProcess = workProcess<PasswordTask, string | boolean>(
  new URL("password-worker.ts", import.meta.url),
  {
    atOnce: login.hashesAtOnce,
    waiting: login.hashQueue,
    timeoutMs: 20_000,
    idleMs: 600_000,
    attempts: 2,
  },
);

/** An owner of places in the queue, and how many they may have at once. */
export interface Share {
  key: string;
  max: number;
}

export const shareOfPerson = (personId: number): Share => ({
  key: `person:${personId}`,
  max: ofOnePerson.hashing,
});

/** Before the caller is known: as many as the ladder of a card, or of a browser, allows. */
export const shareOfBucket = ({ key, allowed }: Bucket): Share => ({ key, max: allowed });

let queuedCount = 0;
const queuedByShare = new Map<string, number>();

/**
 * Runs a call that will hash. Calls beyond the queue are refused `unavailable`, those beyond a share
 * `too_many_requests`, before anything was counted or computed: one person's calls leave the places of
 * everybody else free.
 */
export async function withPlaceInQueue<T>({ key, max }: Share, work: () => Promise<T>): Promise<T> {
  const own = queuedByShare.get(key) ?? 0;
  if (own >= max) throw new Problem("too_many_requests", { seconds: 2, wait: "2 s" });
  if (queuedCount >= login.hashesAtOnce + login.hashQueue) throw new Problem("unavailable");
  queuedCount++;
  queuedByShare.set(key, own + 1);
  try {
    return await work();
  } finally {
    queuedCount--;
    const left = (queuedByShare.get(key) ?? 1) - 1;
    if (left > 0) queuedByShare.set(key, left);
    else queuedByShare.delete(key);
  }
}

// A process that dies twice during a hash is not the password's fault.
const work = (task: PasswordTask, of: number | undefined) =>
  inProcess(task, of).catch((error: unknown) => {
    throw error instanceof WorkFailed ? new Problem("unavailable") : error;
  });

// The same characters typed on another keyboard may be composed differently.
const composed = (password: string) => password.normalize("NFC");

/** The hash to store for a password; hashes `of` one person, or card, take turns with those of others. */
export const hashPassword = async (password: string, of?: number): Promise<string> =>
  String(await work({ password: composed(password) }, of));

/**
 * Whether a password is the right one; `storedHash` null (nobody) or empty (an erased account) costs the same
 * and is never right. Hashes `of` one person, or card, take turns with those of others.
 */
export async function isPassword(
  storedHash: string | null,
  password: string,
  of: number,
): Promise<boolean> {
  const same = await work({ password: composed(password), storedHash: storedHash || decoy }, of);
  return same === true && Boolean(storedHash);
}
