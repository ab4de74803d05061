// Idempotency keys of the screens: minted at the review step and kept until a definite outcome, so
// that a double click, a second tab, a reload or a lost answer has one effect (spec.md 15).
import { type ApiProblem } from "./api.ts";
import { currentUser, sealed } from "./session.ts";

const lifeMs = 24 * 3600 * 1000;

interface Intent {
  /** The payload as JSON: another amount is another intent. */
  payload: string;
  key: string;
}

const nameOf = (act: string): string => `intent.${act}`;
const owner = (): string => String(currentUser.get()?.cardnumber ?? "");

/** The key of an act (`transfer`, `top-up`) with this payload: the same one until it is settled. */
export async function intentKey(act: string, payload: unknown): Promise<string> {
  // Two tabs at the same instant mint one key, where the browser can make them wait.
  const { locks } = navigator;
  if (!locks) return await readOrCreate(act, payload);
  return await locks.request(nameOf(act), () => readOrCreate(act, payload));
}

async function readOrCreate(act: string, payload: unknown): Promise<string> {
  const written = JSON.stringify(payload);
  const stored = (await sealed.get(nameOf(act), owner())) as Intent | null;
  if (stored?.payload === written) return stored.key;
  const intent: Intent = { payload: written, key: crypto.randomUUID() };
  await sealed.put(nameOf(act), owner(), intent, Date.now() + lifeMs);
  return intent.key;
}

/** The act has its outcome: the next one is new. */
export const settleIntent = (act: string): void => sealed.remove(nameOf(act));

/**
 * Does an act under its key. A success or a definite refusal settles it; without an answer the key
 * stays, and trying again is safe. A code asked for is no outcome: the same act follows.
 */
export async function once<T>(
  act: string,
  payload: unknown,
  attempt: (key: string) => Promise<T>,
): Promise<T> {
  const key = await intentKey(act, payload);
  try {
    const answer = await attempt(key);
    settleIntent(act);
    return answer;
  } catch (error) {
    const { code, definite } = error as Partial<ApiProblem>;
    if (definite && code !== "code_required") settleIntent(act);
    throw error;
  }
}
