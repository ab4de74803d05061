// What a line of the route table is, and what the table as a whole says of addresses.
import type { ComponentType } from "react";
import type { Guard } from "./guards.ts";

/** Around the screen: the portal's shell with its menu, the quiet page of the login, or nothing. */
export type Layout = "shell" | "entry" | "plain";

export interface Entry {
  path: `/${string}`;
  /** The specification's route name, null where it gives none. */
  name: string | null;
  layout: Layout;
  guard: Guard;
  /** What the tab says before « · Ma carte »; nothing for the product's name alone. */
  title?: string;
  /** e.g. `() => import("./wallet/top-up-page.tsx").then((room) => room.TopUpPage)` */
  screen?: () => Promise<ComponentType>;
  /** Where the path leads once its guard is passed. */
  redirect?: string;
}

/**
 * First segments of the table that are no page by themselves, e.g. `/partenaire`: they show the
 * not-found page and are no service code either (décision 6).
 */
export function bareSegments(entries: readonly Entry[]): `/${string}`[] {
  const whole = new Set(entries.map(({ path }) => path.toLowerCase()));
  const firsts = entries.map(({ path }): `/${string}` => `/${path.split("/")[1] ?? ""}`);
  return [...new Set(firsts)].filter(
    (first) => !first.includes(":") && !whole.has(first.toLowerCase()),
  );
}
