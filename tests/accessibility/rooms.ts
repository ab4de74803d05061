// Every screen of the route table and its states, in both themes, on a phone and on a desk: no
// accessibility violation, nothing scrolls sideways, the console and the security policy are silent, and no
// frame of its opening is without its level-one heading. With text at 200 %, on a desk and on the smallest
// phone, nothing sticks out, is cut or broken inside a word either.
// One test for each room; the files share the rooms out, so that they run side by side.
import { afterAll, beforeAll, expect, test } from "vitest";
import { gates } from "#tests/campaigns/audit/checks.ts";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import type { Visit } from "#tests/campaigns/audit/visit.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { walk } from "#tests/campaigns/audit/walk.ts";
import { table } from "#web/paths.ts";
import { screens } from "#web/routes.ts";

/** The rooms of each file: a room is a folder of `web/` that gives a screen. */
export const roomsOf = {
  home: ["app", "dashboard", "content", "contact", "portal"],
  person: ["identity", "notifications", "privacy", "allergies", "family", "entitlements"],
  money: [
    "wallet",
    "commuting",
    "funding",
    "partners",
    "till",
    "invoices",
    "door",
    "cards",
    "card-orders",
    "grants",
    "companies",
    "memberships",
    "settlement",
  ],
  travel: [
    "subscriptions",
    "tickets",
    "passes",
    "transit",
    "meals",
    "meal-service",
    "kitchen",
    "desk",
  ],
} as const;

/** The room that gives each path its screen. */
export const roomByPath = new Map(
  Object.entries(screens).map(([path, screen]) => [path, folderIn(String(screen))]),
);

function folderIn(screen: string): string {
  const folder = /\/([\w-]+)\/(?:shared\/)?[\w-]+\.tsx"/.exec(screen)?.[1];
  if (!folder) throw new Error(`No folder of web/ in ${screen}`);
  return folder;
}

/** What no room gives (an unknown address, the provider's page) counts with the frame of the portal. */
const roomOfVisit = ({ route }: Visit) => roomByPath.get(route) ?? "app";

/** Defines the tests of a file. */
export function testRooms(rooms: readonly string[]): void {
  let furnished: FurnishedPortal;
  let visits: Visit[];
  beforeAll(async () => {
    furnished = await openFurnishedPortal();
    visits = await visitsOf(table, furnished);
  });
  afterAll(async () => {
    await furnished?.portal.close();
  });

  // proves: text-size, axe
  test.each(rooms)(
    "%s: every screen is without violation in light and dark, at 360 and 1280",
    async (room) => {
      const own = visits.filter((visit) => roomOfVisit(visit) === room);
      expect(own).not.toEqual([]);
      const views = await walk(furnished, own, {
        widths: [1280, 360],
        quick: true,
        axe: true,
        textSizes: { sizes: [2], widths: [1280, 320] },
      });
      expect(views).toHaveLength(own.length * 4);
      const wrong = views.flatMap(({ visit, width, theme, findings }) =>
        findings
          .filter(({ check }) => gates.includes(check))
          .map(
            ({ check, text }) =>
              `${visit.address} ${visit.state} ${width} ${theme} ${check}: ${text}`,
          ),
      );
      // The message is all that a report keeps of a first try.
      expect(wrong, wrong.join("\n")).toEqual([]);
    },
  );
}
