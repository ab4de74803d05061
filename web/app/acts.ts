// What the person does on this screen, which says so itself: the live notice of it would say it twice.
import type { Row } from "#contract/endpoint.ts";

/** How long after its answer the notice of an act may still arrive. */
const echoMs = 1500;

let running = 0;
let lastDoneAt = -Infinity;

/**
 * A call begins; answers the function that ends it, told whether it succeeded. Reads, downloads and what
 * only prepares an act (`draft`) announce nothing.
 */
export function actBegan({ method }: Pick<Row, "method">, draft: boolean): (done: boolean) => void {
  if (method === "GET" || draft) return () => {};
  running++;
  return (done) => {
    running--;
    if (done) lastDoneAt = Date.now();
  };
}

/** Whether a notice that arrives now tells what was just done here. */
export const isEcho = (): boolean => running > 0 || Date.now() - lastDoneAt < echoMs;
