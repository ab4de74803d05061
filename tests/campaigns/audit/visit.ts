// One visit of the walk: a screen in a state, seen by somebody.
import type { Page } from "playwright-core";
import type { CastName } from "#tests/cast.ts";

/** Who looks, as guards tell people apart, and as whom of the cast. */
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
  /** What is seen there. */
  state: string;
  caller: Caller;
  as: CastName | null;
  /** Acts that lead from the screen as it opens to the state. */
  act?: (page: Page) => Promise<unknown>;
  /** Done on the server before, and undone by the function given back. No other visit happens meanwhile. */
  before?: () => Promise<() => Promise<void>>;
  /** Console lines that the state is about. */
  expected?: RegExp;
}
