// The calls under way that the person waits for. Their count is the specification's Loading flag, which
// drives one progress bar.
import { observed } from "./observed.ts";

/** A call that the person waits for. */
export interface Waiting {
  /** An act that was sent, or only what the screen shows. */
  isAct: boolean;
  /** Ends soon by a time-out of its own. */
  isShort: boolean;
  since: number;
  stop: AbortController;
}

export const waiting = new Set<Waiting>();

/** How many they are. */
export const running = observed(0);

/** True while a call that the person waits for is under way (spec §4). */
export const loading = {
  get: (): boolean => running.get() > 0,
  subscribe: running.subscribe,
};

/** A call begins; answers the function that ends it, and the signal by which the person gives it up. */
export function beginCall(isAct: boolean, isShort: boolean): [ended: () => void, AbortSignal?] {
  const one = { isAct, isShort, since: Date.now(), stop: new AbortController() };
  const count = () => running.set(waiting.size);
  waiting.add(one);
  count();
  const ended = () => {
    waiting.delete(one);
    count();
  };
  return [ended, one.stop.signal];
}
