// Whose session acts, for what is told beneath a request by functions that are not handed its caller: the bell does
// not ring for one's own acts. A job, a webhook and a public call are nobody's act.
import { AsyncLocalStorage } from "node:async_hooks";

const actingPersonStore = new AsyncLocalStorage<number>();

/** Runs the work of a request as the act of its caller. */
export const runAsPerson = <T>(personId: number, work: () => T): T =>
  actingPersonStore.run(personId, work);

/** Runs what is done for several requests at once, as the act of none of them. */
export const runAsNobody = <T>(work: () => T): T => actingPersonStore.exit(work);

/** The person whose act it is; null where it is nobody's. */
export const actingPerson = (): number | null => actingPersonStore.getStore() ?? null;
