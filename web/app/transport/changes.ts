// Topics that actions have changed and screens have not read again yet (contract/topics.ts).
import type { Topic } from "#contract/topics.ts";

const changed = new Set<Topic>();
let read: (topics: ReadonlySet<Topic>) => Promise<void> = async () => {};
let isActing = (): boolean => false;
let soon: ReturnType<typeof setTimeout> | undefined;
let reading = Promise.resolve();

/** Where an action is still under way by then. */
const lookAgainMs = 50;

/**
 * Sets what reads again, the answers that screens show (web/app/transport/answers.ts), and what says whether
 * an action is under way that reads again at its end.
 */
export function onChanges(reader: typeof read, acting: typeof isActing): void {
  read = reader;
  isActing = acting;
}

/**
 * Something changed. It is read again at the end of the action that is under way, or after this turn without
 * one.
 */
export function noteChanges(topics: readonly Topic[]): void {
  for (const topic of topics) changed.add(topic);
  soon ??= setTimeout(readUnlessActing);
}

/** An action that is under way still shows what it did, or leaves a screen whose subject is gone. */
function readUnlessActing(): void {
  if (isActing()) soon = setTimeout(readUnlessActing, lookAgainMs);
  else void readChanges();
}

/**
 * Reads again what changed so far, and waits for that and for what another action reads, though not for a
 * slow server.
 */
export function readChanges(): Promise<void> {
  clearTimeout(soon);
  soon = undefined;
  if (changed.size > 0) {
    const topics = new Set(changed);
    changed.clear();
    reading = read(topics);
  }
  return reading;
}
