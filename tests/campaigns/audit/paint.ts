// When a guardian sees the dashboard on a slow phone: 1.6 Mbps, 150 ms, a processor at a quarter.
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { TestPortal } from "#tests/test-portal.ts";
import type { Figure } from "./report.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";

const phone = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const screen = { width: 412, height: 823 };
/** Paints later than this are not waited for. */
const watchedMs = { warm: 2500, cold: 4500 };
const rounds = 5;

export type Visit = keyof typeof watchedMs;

/** Moments of one visit, in milliseconds from its start. */
export interface Paint {
  /** Anything at all is seen. */
  first: number;
  largest: number;
  /** The first of the answers that the dashboard is drawn from is asked for, the last of them is there. */
  requested: number;
  answered: number;
  font: number;
  /** The layout shift; not a moment. */
  moved: number;
}

const seen = `new Promise((done) => {
  const moments = {
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    moved: 0,
  };
  const files = performance.getEntriesByType("resource");
  const ends = (of) => Math.max(...of.map(({ responseEnd }) => responseEnd));
  const rows = ["card/info", "cards", "wallets", "home"].map((row) => "/api/" + row);
  // Asked for once more by the stream of events, long after.
  const answers = rows.map((row) => files.find(({ name }) => new URL(name).pathname === row));
  moments.requested = Math.min(...answers.map(({ startTime }) => startTime));
  moments.answered = ends(answers);
  moments.font = ends(files.filter(({ name }) => name.endsWith(".woff2")));
  const watch = (type, tell) =>
    new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({ type, buffered: true });
  watch("layout-shift", ({ value }) => (moments.moved += value));
  watch("largest-contentful-paint", ({ startTime }) => (moments.largest = startTime));
  setTimeout(() => done(JSON.stringify(moments)), 100);
})`;

/**
 * Opens the dashboard again and again, as who has been here before (`warm`, its files kept by the worker) or
 * as who has not (`cold`, in a browser that knows nothing but the session).
 */
export async function visitor(portal: TestPortal, visit: Visit): Promise<() => Promise<Paint>> {
  if (visit === "cold") {
    return async () => {
      const page = await portal.open({ viewport: screen });
      await portal.signIn(page, "guardian");
      const paint = await slowly(page, portal.url, visit);
      await page.context().close();
      return paint;
    };
  }
  const page = await portal.open({ viewport: screen, worker: true });
  await portal.login(page, "guardian");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  return () => slowly(page, portal.url, visit);
}

// Waits by the clock: what waits for an element runs scripts in the page, on the processor that is measured.
async function slowly(page: Page, url: string, visit: Visit): Promise<Paint> {
  const device = await page.context().newCDPSession(page);
  await device.send("Network.enable");
  await device.send("Network.emulateNetworkConditions", { offline: false, ...phone });
  await device.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(`${url}/dashboard`, { waitUntil: "commit" });
  await wait(watchedMs[visit]);
  const params = { expression: seen, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await device.send("Runtime.evaluate", params);
  await device.detach();
  if (exceptionDetails) throw new Error(`Not painted: ${result.description}`);
  return JSON.parse(String(result.value)) as Paint;
}

/** The middle one, with the least and the most. */
export function medianOf(values: readonly number[]): { median: number; spread: string } {
  const sorted = values.map(Math.round).toSorted((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? 0, spread: `${sorted[0]}–${sorted.at(-1)}` };
}

/** The figures of `npm run audit:web`; `npm run audit:paint` tells more. */
export async function paintFigures({ portal }: FurnishedPortal): Promise<Figure[]> {
  const open = await visitor(portal, "warm");
  const paints: Paint[] = [];
  for (let round = 0; round < rounds; round++) paints.push(await open());
  const { median, spread } = medianOf(paints.map(({ largest }) => largest));
  return [
    {
      what: "LCP dashboard, warm, slow phone",
      value: `${median} ms (${spread})`,
      goal: "1000 ms or less",
    },
    {
      what: "layout shift meanwhile",
      value: Math.max(...paints.map(({ moved }) => moved)).toFixed(3),
      goal: "0",
    },
  ];
}
