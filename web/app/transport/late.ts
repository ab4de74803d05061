// Late answers: whether an action or a read is late, and giving it up.
import { observed } from "./observed.ts";
import { running, waiting } from "./progress.ts";

/** Someone who sees nothing happen for longer leaves, or does it again. */
const lateAfterMs = 8000;

/** Whether an act that was sent is late, or only what the screen shows; null while nothing is. */
export const late = observed<"act" | "read" | null>(null);

let next: ReturnType<typeof setTimeout> | undefined;

function look(): void {
  const now = Date.now();
  const all = [...waiting].filter(({ isShort }) => !isShort);
  const over = all.filter(({ since }) => now >= since + lateAfterMs);
  late.set(over.length === 0 ? null : over.some(({ isAct }) => isAct) ? "act" : "read");
  clearTimeout(next);
  const coming = all.filter((one) => !over.includes(one)).map(({ since }) => since);
  if (coming.length > 0) next = setTimeout(look, Math.min(...coming) + lateAfterMs - now);
}

running.subscribe(look);
look();

/** The person waits no longer: each call under way ends as one without an answer. */
export const giveUp = (): void => {
  for (const { stop } of waiting) stop.abort();
};
