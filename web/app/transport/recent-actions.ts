// Actions that this screen has just made and already reports: their live notice would say it twice.
/** How long after its answer the notice of an action may still arrive. */
const echoMs = 1500;

let running = 0;
let lastDoneAt = -Infinity;

/** The call of an action begins; returns the function that ends it, called with whether it succeeded. */
export function beginAction(): (done: boolean) => void {
  running++;
  return (done) => {
    running--;
    if (done) lastDoneAt = Date.now();
  };
}

/** Whether a notice that arrives now is about an action just made here. */
export const hasJustActed = (): boolean => running > 0 || Date.now() - lastDoneAt < echoMs;
