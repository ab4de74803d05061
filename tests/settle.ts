// When a page may be looked at: by axe, in a picture, by whoever counts what is on it.
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";

/**
 * Waits for a screen that is there, with its level-one heading, nothing loading, drawn and still. `seen` does
 * so for what is in the view, and leaves the view where it is.
 */
export async function settle(page: Page, part: "all" | "seen" = "all"): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    // A document that goes meanwhile takes the answer with it: the next one is asked.
    const missing = await page.evaluate<string>(look(part)).catch(String);
    if (missing === "") return;
    if (Date.now() > until) throw new Error(`not settled after 30 s: ${missing}`);
    await setTimeout(20);
  }
}

/** What the page still lacks after a second; empty as soon as it lacks nothing. */
const look = (part: "all" | "seen") => `(async () => {
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
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const end = performance.now() + 1000;
  for (;;) {
    if (lacking() === "") {
      await frame();
      await frame();
      if (lacking() === "") return "";
    }
    if (performance.now() > end) return lacking();
    await new Promise((passed) => setTimeout(passed, 20));
  }
})()`;
