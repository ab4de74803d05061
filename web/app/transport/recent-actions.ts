// What the person does on this screen, which says so itself: the live notice of it would say it twice.
/** How long after its answer the notice of an act may still arrive. */
const echoMs = 1500;

let running = 0;
let lastDoneAt = -Infinity;

/** A call that acts begins; answers the function that ends it, told whether it succeeded. */
export function beginAction(): (done: boolean) => void {
  running++;
  return (done) => {
    running--;
    if (done) lastDoneAt = Date.now();
  };
}

/** Whether a notice that arrives now tells what was just done here. */
export const hasJustActed = (): boolean => running > 0 || Date.now() - lastDoneAt < echoMs;
