// What people change in their browser, and what must hold then: text at 200 % (RGAA 10.4), spacing of
// text (10.12), forced colours. Nothing scrolls sideways, no word is cut, each state stays visible.
import type { Page } from "playwright-core";
import { overflowFindings } from "./checks.ts";

/** The browser's own text size, which `rem` and the `em` of media queries follow; 1 is the usual. */
export async function setTextSize(page: Page, factor: number): Promise<void> {
  // The session stays open: its end would take the size back.
  const debug = await page.context().newCDPSession(page);
  await debug.send("Page.setFontSizes", {
    fontSizes: { standard: 16 * factor, fixed: 13 * factor },
  });
  await page.goto("/login");
  const size = await page.evaluate<string>("getComputedStyle(document.documentElement).fontSize");
  if (size !== `${16 * factor}px`) throw new Error(`The browser's text stayed at ${size}.`);
}

/** The spacing that WCAG 1.4.12 lets anyone ask for. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important;" +
      " word-spacing: 0.16em !important } p { margin-bottom: 2em !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`);
}

/** Sideways scroll, and words that the box around them cuts. */
export async function readingFindings(page: Page): Promise<string[]> {
  const wide = await overflowFindings(page);
  const cut = await page.evaluate<string[]>(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent.trim();
      const own = node.parentElement;
      if (!words || !own.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (own.closest("[aria-hidden=true], [inert], script, style, select, option")) continue;
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      for (let box = own; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        // For screen readers alone, or a summary that says on its own page what it leaves out.
        if (style.clipPath !== "none" || style.webkitLineClamp !== "none") break;
        const clips = [style.overflowX, style.overflowY].map((one) => one === "hidden" || one === "clip");
        const control = box.matches("button, [role=tab], .button, .chip, .badge");
        if (!clips[0] && !clips[1] && !control) {
          if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
          continue;
        }
        const edge = box.getBoundingClientRect();
        const out = boxes.some((one) =>
          ((clips[0] || control) && (one.right > edge.right + 2 || one.left < edge.left - 2)) ||
          ((clips[1] || control) && (one.bottom > edge.bottom + 4 || one.top < edge.top - 4)));
        if (out) found.push("« " + words.slice(0, 40) + " » cut by " + box.tagName.toLowerCase() +
          "." + box.className);
        if (out) break;
      }
    }
    return [...new Set(found)];
  })()`);
  return [...wide.map(({ text }) => text), ...cut];
}

/** States that only a colour of ours would show, which forced colours take away. */
export function forcedColourFindings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const look = (one) => [one, "::before", "::after"].map((part) => {
      const style = typeof part === "string" ? getComputedStyle(one, part) : getComputedStyle(one);
      if (typeof part === "string" && style.content === "none") return "";
      return [style.backgroundColor, style.borderTopWidth, style.borderTopColor,
        style.borderTopStyle, style.borderBottomWidth, style.borderBottomColor,
        style.outlineStyle, style.outlineWidth, style.textDecorationLine, style.translate].join();
    }).join("|");
    const inside = (one) => [one, ...one.querySelectorAll("*")].map(look).join("/");
    const states = [["[role=tab][aria-selected=true]", "[role=tab]:not([aria-selected=true])"],
      ["[aria-pressed=true]", "[aria-pressed=false]"], ["nav [aria-current=page]", "a"],
      ["[aria-current=step], [data-state=now]", "[data-state=next], [data-state=done]"],
      ["input:checked", "input:not(:checked)"]];
    const found = [];
    for (const [on, off] of states) {
      for (const one of document.querySelectorAll(on)) {
        if (!one.checkVisibility()) continue;
        const group = one.closest("[role=tablist], fieldset, ul, ol, .chips, [role=radiogroup]");
        const other = [...(group?.querySelectorAll(off) ?? [])].find((two) =>
          two !== one && two.tagName === one.tagName && two.type === one.type);
        if (other && inside(one) === inside(other))
          found.push(on + " « " + (one.textContent.trim() || one.name).slice(0, 30) + " » looks like the others");
      }
    }
    for (const bar of document.querySelectorAll("progress")) {
      const style = getComputedStyle(bar);
      if (style.outlineStyle === "none" && style.borderTopStyle === "none")
        found.push("progress " + bar.getAttribute("aria-label") + " has no edge");
    }
    return found;
  })()`);
}
