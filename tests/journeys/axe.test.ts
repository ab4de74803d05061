// Every screen that is in the route table, and its states, in both themes, on a phone and on a desk:
// no accessibility violation, nothing scrolls sideways, the console and the security policy are silent.
import { afterAll, beforeAll, expect, test } from "vitest";
import { table } from "#web/routes.tsx";
import { gates } from "../../scripts/audit/checks.ts";
import { openStage, type Stage } from "../../scripts/audit/stage.ts";
import { visitsOf } from "../../scripts/audit/visits.ts";
import { walk } from "../../scripts/audit/walk.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage?.portal.close();
});

test("every screen is without violation in light and dark, at 360 and 1280", async () => {
  const visits = await visitsOf(table, stage);
  const views = await walk(stage, visits, { widths: [1280, 360], quick: true, axe: true });
  expect(views).toHaveLength(visits.length * 4);
  const wrong = views.flatMap(({ visit, width, theme, findings }) =>
    findings
      .filter(({ check }) => gates.includes(check))
      .map(
        ({ check, text }) => `${visit.address} ${visit.state} ${width} ${theme} ${check}: ${text}`,
      ),
  );
  expect(wrong).toEqual([]);
}, 1_200_000);
