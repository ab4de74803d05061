// Hashing passwords: Argon2id, a few at once, the rest in a bounded queue, so that a storm of logins
// slows logins and nothing else.
import { hash, verify } from "@node-rs/argon2";
import { Problem } from "#contract/errors.ts";
import { login } from "#contract/limits.ts";

// OWASP's second profile; the function's default algorithm is Argon2id.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The hash of a forgotten random password: what an unknown card is compared with, at equal cost. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$eDCGhX8PT3vBjDj1U2VqBA$yU0wZrnLk+MB9OBcY13LhB1+U4l3+JYybh9apaa0SDE";

let admitted = 0;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a call that will hash, unless as many as the queue holds are already under way: those are told
 * to come back before anything of theirs was counted or computed.
 */
export async function withPlaceInQueue<T>(work: () => Promise<T>): Promise<T> {
  if (admitted >= login.hashesAtOnce + login.hashQueue) {
    throw new Problem("too_many_requests", { seconds: 2 });
  }
  admitted++;
  try {
    return await work();
  } finally {
    admitted--;
  }
}

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= login.hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // The place is handed to the next in line; only without one does it become free.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

// The same characters typed on another keyboard may be composed otherwise.
const composed = (password: string) => password.normalize("NFC");

/** The text to keep for a password. */
export const hashPassword = (password: string): Promise<string> =>
  oneOfFew(() => hash(composed(password), cost));

/** Whether a password is the right one; `kept` null (nobody) costs the same and is never right. */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const same = await oneOfFew(() => verify(kept ?? decoy, composed(password)));
  return same && kept !== null;
}
