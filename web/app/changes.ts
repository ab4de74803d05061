// What acts have changed and screens have not read again yet, by topic (contract/topics.ts).
import type { Topic } from "#contract/topics.ts";

const changed = new Set<Topic>();
let read: (topics: ReadonlySet<Topic>) => Promise<void> = async () => {};
let soon: ReturnType<typeof setTimeout> | undefined;

/** Says who reads again: the answers that screens show (web/app/answers.ts). */
export function onChanges(reader: typeof read): void {
  read = reader;
}

/** Something changed. It is read again at once after the act that is under way, or after this turn. */
export function noteChanges(topics: readonly Topic[]): void {
  for (const topic of topics) changed.add(topic);
  soon ??= setTimeout(() => void readChanges());
}

/** Reads again what changed so far, and waits for it, though not for a slow server. */
export async function readChanges(): Promise<void> {
  clearTimeout(soon);
  soon = undefined;
  if (changed.size === 0) return;
  const topics = new Set(changed);
  changed.clear();
  await read(topics);
}
