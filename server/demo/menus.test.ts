// The demo's menus: whole weeks, each as the law requires.
import { afterAll, beforeAll, expect, test } from "vitest";
import { egalimShares } from "#contract/kitchen/egalim.ts";
import { startOfWeek } from "#contract/days.ts";
import { menusOf } from "#server/kitchen/menus.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx } from "../db/db.ts";
import { writeMenus } from "./menus.ts";

let server: TestServer;
let made: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
});
afterAll(() => server.close());

test("each week has five courses a day, a vegetarian day and two organic dishes; no holiday has a menu", async () => {
  await inTx(server.deps.db, (tx) =>
    writeMenus(tx, made.providerId, new Date("2026-11-25T09:00:00+01:00")),
  );
  const all = (published: boolean) =>
    menusOf(server.deps.db, made.providerId, "2026-10-01", "2027-03-01", { published });
  const days = await all(false);
  expect(days[0]?.day).toBe("2026-11-02");
  expect(days.map(({ day }) => day)).not.toContain("2026-11-11");
  // Wednesday too: the holiday centre of the same kitchen eats then.
  expect(days.map(({ day }) => day)).toContain("2026-11-25");
  expect(days.at(-1)?.day).toBe("2026-12-18");
  const courses = days.map(({ dishes }) => dishes.filter(({ diets }) => diets.length === 0));
  expect(courses.every((dishes) => dishes.length === 5)).toBe(true);
  const pork = days.flatMap(({ dishes }) => dishes).filter(({ name }) => /porc|Jambon/.test(name));
  const instead = days.flatMap(({ dishes }) =>
    dishes.filter((one) => one.diets.includes("no_pork")),
  );
  expect(pork.length).toBeGreaterThan(0);
  expect(instead).toHaveLength(pork.length);
  const mondays = [...new Set(days.map(({ day }) => startOfWeek(day)))];
  expect(mondays).toHaveLength(7);
  for (const monday of mondays) {
    const week = days.filter(({ day }) => startOfWeek(day) === monday);
    const { vegetarianDays, organic } = egalimShares(week);
    expect(vegetarianDays).toBe(1);
    expect(organic).toBeGreaterThanOrEqual(2);
  }
  expect(await all(true)).toEqual(days);
});
