// The specification's Loading flag: one count of the calls under way, which drives one progress bar.
import { observed } from "./observed.ts";

const running = observed(0);

/** True while a call that the person waits for is under way (spec §4). */
export const loading = {
  get: (): boolean => running.get() > 0,
  subscribe: running.subscribe,
};

/** A call begins; answers the function that ends it. */
export function began(): () => void {
  running.set(running.get() + 1);
  return () => running.set(running.get() - 1);
}
