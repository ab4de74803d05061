// The checks of a page as it stands. Each returns its findings, one line each.
import type { Page } from "playwright-core";
import { violationsOf } from "#tests/axe.ts";

export const checkNames = [
  "axe",
  "console",
  "csp",
  "overflow",
  "text size",
  "heading",
  "reference",
  "focus",
  "order",
  "shift",
] as const;
export type CheckName = (typeof checkNames)[number];

/** These make the command fail; the others are printed. */
export const gates: readonly CheckName[] = [
  "axe",
  "console",
  "csp",
  "overflow",
  "text size",
  "heading",
  "reference",
];

export interface Finding {
  check: CheckName;
  text: string;
}

/**
 * In the page before anything else: moves of the layout, refusals of its security policy, and frames drawn
 * without exactly one level-one heading.
 */
export const watchScript = `
  window.seen = { shift: 0, moves: [], refused: [], headings: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.seen.shift += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources) {
        const one = node instanceof Element ? node : node?.parentElement;
        const name = one ? one.tagName.toLowerCase() + "." + one.className : "what has gone";
        const by = [currentRect.x - previousRect.x, currentRect.y - previousRect.y].join(" ");
        window.seen.moves.push([entry.value, name + " by " + by]);
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("securitypolicyviolation", (event) =>
    window.seen.refused.push(event.violatedDirective + " " + event.blockedURI));
  // Before each drawing that follows a change: what is replaced within a frame is never seen.
  const nextFrame = requestAnimationFrame.bind(window);
  const checkHeading = () => {
    const main = document.querySelector("main");
    if (!main) return;
    // An open dialog has headings of its own; where it stands for the screen, one of them is the first.
    const isScreenSeen = main.checkVisibility();
    const found = [...document.querySelectorAll("h1")].filter((one) =>
      one.checkVisibility() && !(isScreenSeen && one.closest("dialog")));
    if (found.length === 1) return;
    const names = found.map((one) => "« " + one.textContent.trim() + " »").join(", ");
    const around = isScreenSeen ? main.textContent.trim().slice(0, 60) : "the screen is hidden";
    window.seen.headings.push(found.length + " h1 " + names + " at " + location.pathname + ": " + around);
  };
  let isFrameRequested = false;
  new MutationObserver(() => {
    if (isFrameRequested) return;
    isFrameRequested = true;
    nextFrame(() => {
      isFrameRequested = false;
      checkHeading();
    });
  }).observe(document, {
    childList: true, subtree: true, attributeFilter: ["class", "hidden", "open", "style"],
  });
`;

/** Waits in the page until what it holds was drawn: what is replaced within a frame shifts nothing. */
export const twoFrames =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

/** The layout shift that `watchScript` recorded so far, and the elements of the largest one. */
export async function shiftOf(page: Page): Promise<{ shift: number; moved: string }> {
  return await page.evaluate(`(() => {
    const { shift, moves } = window.seen;
    return { shift, moved: moves.sort(([one], [other]) => other - one)[0]?.[1] ?? "" };
  })()`);
}

/** Returns what the security policy refused, and clears it. */
export async function refusedBy(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>("window.seen.refused.splice(0)").catch(() => []);
}

/** Returns the frames that had no level-one heading, or several, each once, and clears them. */
export async function headingFaults(page: Page): Promise<string[]> {
  return [...new Set(await page.evaluate<string[]>("window.seen?.headings.splice(0) ?? []"))];
}

export async function axeFindings(page: Page, onlyRule?: string): Promise<Finding[]> {
  return (await violationsOf(page, onlyRule)).map((text) => ({ check: "axe" as const, text }));
}

/** Sideways scroll of the page or of an open dialog, and what causes it. */
export async function overflowFindings(page: Page): Promise<Finding[]> {
  const found = await page.evaluate<string[]>(`(() => {
    const wide = (box) => box.scrollWidth > box.clientWidth;
    const boxes = [document.documentElement, ...document.querySelectorAll("dialog[open]")];
    return boxes.filter(wide).map((box) => {
      const edge = box === document.documentElement ? innerWidth : box.getBoundingClientRect().right;
      const isOut = (one) => one.getBoundingClientRect().right > edge + 1;
      const scrolls = (one) => one !== box && (/auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX) ||
        scrolls(one.parentElement));
      // The innermost, and not what has a scroll of its own.
      const out = [...box.querySelectorAll("*")].find((one) =>
        isOut(one) && ![...one.children].some(isOut) && !scrolls(one));
      return box.tagName + " " + box.scrollWidth + " > " + box.clientWidth + ": " +
        (out ? out.tagName + "." + out.className : "?");
    });
  })()`);
  return found.map((text) => ({ check: "overflow", text }));
}

interface Stop {
  name: string;
  top: number;
  left: number;
  wrong: string | null;
  last: boolean;
}

// Where the keyboard stands: is it seen, is something over it, is there a sign around it?
const stopScript = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const again = window.firstStop === one;
  window.firstStop ??= one;
  const box = one.getBoundingClientRect();
  const name = one.tagName.toLowerCase() + " « " +
    (one.getAttribute("aria-label") || one.textContent.trim() || one.id).slice(0, 40) + " »";
  const around = [one, one.nextElementSibling, one.parentElement, one.parentElement?.parentElement,
    one.closest("label")];
  const signed = (part) => {
    const style = part && getComputedStyle(part);
    return style && ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) ||
      style.boxShadow !== "none");
  };
  const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1);
  const y = box.top + Math.min(box.height / 2, 20);
  const over = document.elementFromPoint(x, y);
  const clear = getComputedStyle(one).pointerEvents === "none" || over && (one.contains(over) || over.contains(one) ||
    over.closest("label")?.contains(one) || (one.labels && [...one.labels].some((l) => l.contains(over))));
  const wrong = box.bottom <= 0 || box.top >= innerHeight ? "outside the view"
    : !around.some(signed) ? "no visible focus"
    : !clear && getComputedStyle(one).opacity !== "0" ? "covered by " + (over?.className || over?.tagName)
    : null;
  return { name, wrong, top: box.top + scrollY, left: box.left, last: again };
})()`;

const maxStops = 80;

/** Walks the page by Tab from its start: each stop is seen, and the eye is not sent back and forth. */
export async function keyboardFindings(page: Page): Promise<Finding[]> {
  const found: Finding[] = [];
  let before: Stop | null = null;
  await page.evaluate(
    "(() => { window.firstStop = undefined; document.activeElement?.blur?.(); scrollTo(0, 0); })()",
  );
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press("Tab");
    const stop: Stop | null = await page.evaluate<Stop | null>(stopScript);
    if (!stop || stop.last) break;
    if (stop.wrong) found.push({ check: "focus", text: `${stop.name}: ${stop.wrong}` });
    // Up and not to the right: neither reading order nor another column.
    if (before && stop.top < before.top - 60 && stop.left <= before.left + 10) {
      found.push({ check: "order", text: `${before.name} → ${stop.name}` });
    }
    before = stop;
  }
  return found;
}

/** A long id that somebody would have to read aloud: what is shown has a short reference. */
export async function referenceFindings(page: Page): Promise<Finding[]> {
  const pageText = await page.evaluate(() => document.body.innerText);
  const ids = pageText.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
  return ids.map((text) => ({ check: "reference", text }));
}
