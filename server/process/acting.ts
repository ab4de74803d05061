// Whose session acts, for what is told beneath a request by functions that are not handed its caller: the bell does
// not ring for one's own acts. A job, a webhook and a public call are nobody's act.
import { AsyncLocalStorage } from "node:async_hooks";

const acting = new AsyncLocalStorage<number>();

/** Runs the work of a request as the act of its caller. */
export const actAs = <T>(personId: number, work: () => T): T => acting.run(personId, work);

/** Runs what is done for several requests at once, as the act of none of them. */
export const actAsNobody = <T>(work: () => T): T => acting.exit(work);

/** The person whose act it is; null where it is nobody's. */
export const actingPerson = (): number | null => acting.getStore() ?? null;
