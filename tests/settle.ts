// When a page may be looked at: by axe, in a picture, by whoever counts what is on it.
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";

/**
 * Waits for a screen that is there, with its level-one heading, nothing loading, drawn and still. `seen` does
 * so for what is in the view, and leaves the view where it is. After the limit it fails with what is missing.
 */
export async function settle(
  page: Page,
  part: "all" | "seen" = "all",
  limitMs = 30_000,
): Promise<void> {
  let missing = "an answer of the page";
  const lookUntilStill = async (ended: AbortSignal) => {
    while (missing !== "" && !ended.aborted) {
      // A document that goes meanwhile takes the answer with it: the next one is asked.
      missing = await page.evaluate<string>(look(part, limitMs / 3)).catch(String);
      if (missing !== "") await setTimeout(20);
    }
  };
  await endWithin({ page, name: "settle", limitMs, missing: () => missing }, lookUntilStill);
}

/** A wait for a page that has an end of its own. */
interface Wait {
  page: Page;
  name: string;
  limitMs: number;
  missing: () => string;
}

/**
 * What `work` answers; after the limit it fails, even if the page never answers: with the wait, the address, how
 * long it was and what is missing. The signal says to the work that nobody waits for it any more.
 */
export async function endWithin<T>(
  wait: Wait,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([work(ended.signal), failLate(wait, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function failLate(
  { page, name, limitMs, missing }: Wait,
  ended: AbortSignal,
): Promise<never> {
  await setTimeout(limitMs, undefined, { signal: ended });
  throw new Error(`${name} of ${page.url()} ended after ${limitMs} ms without ${missing()}`);
}

/** What the page still lacks after a second; empty as soon as it lacks nothing. */
const look = (part: "all" | "seen", frameMs: number) => `(async () => {
  const isShown = (one) => one.checkVisibility();
  const isSeen = (one) => isShown(one) && (${part === "all"} ||
    one.getBoundingClientRect().top < innerHeight);
  const lacking = () => {
    if (document.fonts.status !== "loaded") return "a font";
    if (![...document.querySelectorAll("h1")].some(isShown)) return "a level-one heading";
    // Behind the page of a lost connection the screen waits, unseen, for its return.
    const waits = [...document.querySelectorAll(
      ".loading, .skeletons, [aria-busy=true]:not(button)")].find(isSeen);
    // What is asked for only when it comes near is brought near, as a reader does who scrolls.
    if (${part === "all"}) waits?.scrollIntoView({ block: "center" });
    if (waits) return "loading: " + waits.outerHTML.slice(0, 80);
    // What is still moving has colours and places that nobody will read.
    const moves = document.getAnimations().find((one) => one.playState === "running" &&
      Number.isFinite(one.effect?.getComputedTiming().endTime));
    return moves ? "moving: " + (moves.effect?.target?.outerHTML ?? "").slice(0, 80) : "";
  };
  // A browser that has stopped drawing calls back no more, and its timers still run.
  const isDrawn = () => new Promise((answer) => {
    requestAnimationFrame(() => answer(true));
    setTimeout(() => answer(false), ${frameMs});
  });
  const end = performance.now() + 1000;
  for (;;) {
    if (lacking() === "") {
      if (!(await isDrawn()) || !(await isDrawn())) return "a drawn frame";
      if (lacking() === "") return "";
    }
    if (performance.now() > end) return lacking();
    await new Promise((passed) => setTimeout(passed, 20));
  }
})()`;
