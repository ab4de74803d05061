// The entries of the route table, and what the whole table says of addresses.
import type { ComponentType } from "react";
import type { CompanyRight } from "#contract/companies/roles.ts";
import type { Guard } from "./guards.ts";

/**
 * Around the screen: the portal's shell with its menu, the quiet page of the login, narrow or as
 * wide as a text, or nothing.
 */
export type Layout = "shell" | "entry" | "public" | "plain";

export interface Entry {
  path: `/${string}`;
  /** The specification's route name, null where it gives none. */
  name: string | null;
  layout: Layout;
  guard: Guard;
  /** Its page is `narrow` as it opens: its heading stands at the same place while its code is on its way. */
  narrow?: true;
  /** Its page opens with a link back above its heading, whose place is kept meanwhile. */
  back?: true;
  /** What the tab says before « · Ma carte »; nothing for the product's name alone. */
  title?: string;
  /** Not built yet: behind its guard it shows the not-found page, and no menu leads to it. */
  planned?: true;
  /** Works without network too: the page of a lost connection leaves it visible. */
  offline?: true;
  /** Opened by a link or a step that brings what it needs: the plan of the site leaves it out. */
  needsLink?: true;
  /** What the roles of a professional must permit; without it, nothing leads there. */
  may?: CompanyRight;
  /** Where the path leads once its guard is passed. */
  redirect?: string;
}

/** What is known of a screen before its code is there. */
export interface Wait {
  title: string | undefined;
  layout: Layout;
  narrow?: boolean;
  back?: boolean;
}

/** Loads the component of each path, e.g. `async () => (await import("./x-page.tsx")).XPage`. */
export type Screens<Path extends string = string> = Readonly<
  Record<Path, () => Promise<ComponentType>>
>;

/** Loads the component of any path that shows one. */
export type LoadScreen = (path: Entry["path"]) => Promise<ComponentType>;

/** Asks what the screen of a path needs before it is entered. */
export type Gates<Path extends string = string> = Readonly<
  Partial<Record<Path, () => Promise<string | null>>>
>;

/** Whether a path leads to a screen, its own or another's. */
export const isBuilt = ({ planned }: Entry): boolean => planned !== true;

/**
 * First segments of the table that are no page by themselves, e.g. `/partenaire`: they show the
 * not-found page and are no service code either (spec.md 6).
 */
export function bareSegments(entries: readonly Entry[]): `/${string}`[] {
  const whole = new Set(entries.map(({ path }) => path.toLowerCase()));
  const firsts = entries.map(({ path }): `/${string}` => `/${path.split("/")[1] ?? ""}`);
  return [...new Set(firsts)].filter(
    (first) => !first.includes(":") && !whole.has(first.toLowerCase()),
  );
}
