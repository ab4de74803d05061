// Text at 200 % on the screens of a company, as those see them whose company runs a canteen or employs people:
// tests/accessibility/rooms.ts walks them as a shop.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { walk } from "#tests/campaigns/audit/walk.ts";
import { table } from "#web/paths.ts";

let furnished: FurnishedPortal;
beforeAll(async () => {
  furnished = await openFurnishedPortal();
});
afterAll(async () => {
  await furnished?.portal.close();
});

// proves: text-size
test.each(["canteenProvider", "employer"] as const)(
  "text at 200 %: nothing sticks out, is cut or broken inside a word on any screen of the %s",
  async (as) => {
    const visits = await visitsOf(table, furnished);
    const shopVisits = visits.filter(
      (visit) => visit.as === "partnerShop" && !visit.act && !visit.before,
    );
    if (shopVisits.length <= 30) throw new Error(`only ${shopVisits.length} screens of a shop`);
    const views = await walk(
      furnished,
      shopVisits.map((visit) => ({ ...visit, as })),
      { widths: [1280], quick: true, textSizes: { sizes: [2], widths: [1280, 320] } },
    );
    const found = views.flatMap(({ visit, findings }) =>
      findings
        .filter(({ check }) => check === "text size" || check === "overflow")
        .map(({ text }) => `${visit.address}: ${text}`),
    );
    expect(found).toEqual([]);
  },
);
