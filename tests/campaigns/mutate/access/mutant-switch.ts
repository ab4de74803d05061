// The switch of the instrumented source: at each site it records that a call reached it, and answers whether
// the check there is switched off.
import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";

/** What the instrumented source calls, under a name of `globalThis`. */
export interface MutantSwitch {
  /** Whether the site's check is switched off. */
  isOff(site: number): boolean;
  /** Runs a function whose inner conditions of ownership vanish with the site. */
  unchecked<T>(site: number, run: () => T): T;
  true: unknown;
  false: unknown;
}

export const switchName = "mutantSwitch";

const inside = new AsyncLocalStorage<boolean>();
let vanished: number | undefined;
let reached = new Set<number>();

/** From now on the check of this site is switched off; undefined restores all. */
export function vanish(site: number | undefined): void {
  vanished = site;
}

/** The sites that were reached since the last call of this. */
export function takeReached(): ReadonlySet<number> {
  const taken = reached;
  reached = new Set();
  return taken;
}

export const mutantSwitch: MutantSwitch = {
  isOff(site) {
    reached.add(site);
    return site === vanished || inside.getStore() === true;
  },
  unchecked(site, run) {
    reached.add(site);
    return site === vanished ? inside.run(true, run) : run();
  },
  true: sql`true`,
  false: sql`false`,
};

/** Puts the switch where instrumented modules find it. */
export function installSwitch(): void {
  Object.assign(globalThis, { [switchName]: mutantSwitch });
}
