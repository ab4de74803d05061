// A code that its holder says to the person who serves them: it approves one thing on somebody else's screen,
// as its message says.
import { codes as limits } from "#contract/limits.ts";
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Channel } from "#contract/notifications/kinds.ts";
import type { Deps } from "#server/process/deps.ts";
import { consume, countSend, issueCode, tryCode } from "./codes.ts";
import { channelsOf } from "./contacts.ts";

/** The content that the code approves: for anything else it is void. */
interface SpokenCodeBinding {
  /** The person who gets the code and says it. */
  personId: number;
  binding: unknown;
}

const bound = ({ personId, binding }: SpokenCodeBinding) =>
  ({ purpose: "spoken", binding: [personId, binding] }) as const;

/**
 * Sends a code to a trusted channel of the person; `what` ends « votre code pour ». Refuses
 * `no_spoken_channel` where there is none, `code_sends_exhausted`.
 */
export async function sendSpokenCode(
  deps: Deps,
  spoken: SpokenCodeBinding & { what: string; note: string; until?: Date },
): Promise<{ challenge: string; channel: Channel }> {
  const { personId, what, note, until } = spoken;
  const said = { what, note, ...(until ? { until } : {}) };
  const { trusted: standing } = await channelsOf(deps, personId);
  // At a counter the phone is at hand: the SMS first.
  const to = standing.find(({ channel }) => channel === "sms") ?? standing[0];
  if (!to) throw new Problem("no_spoken_channel");
  const key = `code:spoken:${personId}`;
  await countSend(deps, key);
  const { challenge } = await inTx(deps.db, (tx) =>
    issueCode(deps, tx, { ...bound(spoken), personId, key, to, sentTo: "", ...said }),
  );
  return { challenge, channel: to.channel };
}

/**
 * Tries a spoken code, `codes.tries` times at most; returns the function that uses it up, in the transaction
 * of its effect. Refuses `code_wrong`, `code_expired`.
 */
export async function trySpokenCode(
  deps: Deps,
  { challenge, code, ...spoken }: SpokenCodeBinding & { challenge: string; code: string },
): Promise<(tx: Tx) => Promise<void>> {
  await tryCode(deps, { ...bound(spoken), challenge, code: code.slice(0, limits.digits) });
  return (tx) => consume(tx, challenge, deps.now());
}
