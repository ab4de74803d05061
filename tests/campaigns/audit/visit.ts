// One visit of the walk: a screen in a state, seen by somebody.
import type { Page } from "playwright-core";
import type { CastName } from "#tests/cast.ts";

/** The callers, as guards tell people apart, each with a person of the cast. */
export const callers = {
  guest: { as: null, user: null },
  reset: { as: "resetPending", user: { type: 1, isReset: true } },
  holder: { as: "guardian", user: { type: 1, isReset: false } },
  professional: { as: "partnerShop", user: { type: 2, isReset: false } },
} as const;

export type Caller = keyof typeof callers;

export interface Visit {
  /** Path of the route table, or of what stands beside it. */
  route: string;
  address: string;
  /** The state that is seen there. */
  state: string;
  caller: Caller;
  as: CastName | null;
  /** Actions that lead from the screen as it opens to the state. */
  act?: (page: Page) => Promise<unknown>;
  /** Done on the server before, and undone by the returned function. No other visit happens meanwhile. */
  before?: () => Promise<() => Promise<void>>;
  /** Console lines that the state is about. */
  expected?: RegExp;
}
