// The person whose session makes the current request, for functions that are not given the caller: a notice
// about one's own action starts as read. Jobs, webhooks and public calls have no acting person.
import { AsyncLocalStorage } from "node:async_hooks";

const actingPersonStore = new AsyncLocalStorage<number>();

/** Runs the work of a request as an action of its caller. */
export const runAsPerson = <T>(personId: number, work: () => T): T =>
  actingPersonStore.run(personId, work);

/** Runs work done for several requests at once, as an action of none of them. */
export const runAsNobody = <T>(work: () => T): T => actingPersonStore.exit(work);

/** The acting person; null where there is none. */
export const actingPerson = (): number | null => actingPersonStore.getStore() ?? null;
