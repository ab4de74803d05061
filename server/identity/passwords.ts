// Hashing passwords: Argon2id in a process of lower priority, a few at once, the rest in a bounded
// queue, so that a storm of logins slows logins and nothing else.
import { Problem } from "#contract/errors.ts";
import { login } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { workProcess, WorkFailed } from "#server/process/work-process.ts";
import type { PasswordTask } from "./password-worker.ts";

/** What a later room does when a person chose a password, in its transaction: a first card is activated. */
export const onPasswordChosen: ((
  tx: Tx,
  deps: Deps,
  chosen: { personId: number; address: string; at: Date },
) => Promise<void>)[] = [];

/** The hash of a forgotten random password: what an unknown card is compared with, at equal cost. */
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

let admitted = 0;

/**
 * Runs a call that will hash, unless as many as the queue holds are already under way: those are told
 * `unavailable` before anything of theirs was counted or computed.
 */
export async function withPlaceInQueue<T>(work: () => Promise<T>): Promise<T> {
  if (admitted >= login.hashesAtOnce + login.hashQueue) throw new Problem("unavailable");
  admitted++;
  try {
    return await work();
  } finally {
    admitted--;
  }
}

// A process that dies twice under a hash is no fault of the password.
const work = (task: PasswordTask) =>
  inProcess(task).catch((error: unknown) => {
    throw error instanceof WorkFailed ? new Problem("unavailable") : error;
  });

// The same characters typed on another keyboard may be composed otherwise.
const composed = (password: string) => password.normalize("NFC");

/** The text to keep for a password. */
export const hashPassword = async (password: string): Promise<string> =>
  String(await work({ password: composed(password) }));

/**
 * Whether a password is the right one; `kept` null (nobody) or empty (an erased account) costs the same
 * and is never right.
 */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const same = await work({ password: composed(password), kept: kept || decoy });
  return same === true && Boolean(kept);
}
