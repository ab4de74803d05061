import { expect, test } from "vitest";
import { leavesIn } from "./leaves-in.ts";

const now = Date.parse("2026-11-21T17:50:20Z");
const plainLeavesIn = (at: string, from = now) => leavesIn(at, from).replaceAll("\u00a0", " ");

test("a departure is told as riders say it, in the time of Paris", () => {
  expect(plainLeavesIn("2026-11-21T17:50:59Z")).toBe("maintenant");
  expect(plainLeavesIn("2026-11-21T17:54:30Z")).toBe("dans 4 min");
  expect(plainLeavesIn("2026-11-21T18:50:10Z")).toBe("dans 59 min");
  expect(plainLeavesIn("2026-11-21T18:51:00Z")).toBe("19:51");
  expect(plainLeavesIn("2026-11-22T00:30:00Z")).toBe("cette nuit 01:30");
  expect(plainLeavesIn("2026-11-22T05:12:00Z")).toBe("demain 06:12");
  expect(plainLeavesIn("2026-11-23T05:12:00Z")).toBe("lundi 06:12");
  expect(plainLeavesIn("2026-11-28T05:12:00Z")).toBe("28/11/2026 06:12");
  // At ten in the morning the small hours of the next day are tomorrow's.
  expect(plainLeavesIn("2026-11-22T00:30:00Z", Date.parse("2026-11-21T09:00:00Z"))).toBe(
    "demain 01:30",
  );
});
