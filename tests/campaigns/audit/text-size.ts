// Larger text: a page as it stands is measured at other sizes of the root's text and other widths.
// Nothing scrolls sideways or sticks out, no word is broken in a narrow column, cut or written over.
import type { Page } from "playwright-core";
import { type Finding, overflowFindings } from "./checks.ts";

/** The sizes at which a page is measured: each size of the root's text, 1 the usual, at each width. */
export interface TextSizes {
  sizes: readonly number[];
  widths: readonly number[];
}

/** Measures the page at each size and width, and leaves it as it was. */
export async function textSizeFindings(
  page: Page,
  { sizes, widths }: TextSizes,
): Promise<Finding[]> {
  const before = page.viewportSize();
  const found: Finding[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 1000 ? 740 : 800 });
    for (const size of sizes) {
      await setRootSize(page, size);
      const wide = await overflowFindings(page);
      const narrow = await page.evaluate<string[]>(measureScript);
      const texts = [...wide.map(({ text }) => text), ...narrow];
      const at = `text at ${size * 100} %, ${width} px`;
      found.push(...texts.map((text) => ({ check: "text size" as const, text: `${at}: ${text}` })));
    }
  }
  await setRootSize(page, 1);
  if (before) await page.setViewportSize(before);
  return found;
}

/** A root of another text size, on the open page; two frames later it is drawn. */
const setRootSize = (page: Page, size: number) =>
  page.evaluate(`(async () => {
    document.documentElement.style.fontSize = ${size === 1 ? '""' : `"${size * 100}%"`};
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
  })()`);

const measureScript = `(() => {
  const found = new Set();
  const nameOf = (one) => one.tagName.toLowerCase() + (typeof one.className === "string" && one.className
    ? "." + one.className.trim().replaceAll(/\\s+/g, ".") : "");
  const report = (what, words, box) => found.add(
    what + ": « " + words.slice(0, 40) + " » in " + nameOf(box) + " < " + nameOf(box.parentElement ?? box));
  const isClipped = (style) => /hidden|clip/.test(style.overflowX + style.overflowY);
  const isScroller = (box, style) => /auto|scroll/.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1;
  const isPainted = (style) => parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth) > 0 ||
    !/^(?:transparent|rgba\\(.*, 0\\))$/.test(style.backgroundColor);
  const dialogs = [...document.querySelectorAll("dialog[open]:modal")];
  const root = dialogs.at(-1) ?? document.body;
  const edge = document.documentElement.clientWidth;
  const range = document.createRange();
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent.trim();
    const own = node.parentElement;
    if (!words || own.closest("script, style, select, option, svg, textarea")) continue;
    if (!own.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    let scrolls = false, isUnseen = false, isFixed = false, hasEllipsis = false, painted = null, clip = null, block = null;
    for (let box = own; box && box !== document.documentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.clipPath !== "none") isUnseen = true;
      if (style.webkitLineClamp !== "none" || style.textOverflow === "ellipsis") hasEllipsis = true;
      if (!block && style.display !== "inline" && style.display !== "contents") block = box;
      if (isScroller(box, style)) scrolls = true;
      if (/fixed|sticky/.test(style.position)) isFixed = true;
      if (!scrolls && !painted && isPainted(style) && style.display !== "inline") painted = box;
      if (!scrolls && !clip && isClipped(style) && box !== document.body) clip = box;
      if (box === root) break;
    }
    if (isUnseen) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes.length === 0) continue;
    const out = (box) => boxes.some((one) => {
      const { left, right } = box.getBoundingClientRect();
      return one.right > right + 1 || one.left < left - 1;
    });
    if (!scrolls && !hasEllipsis && boxes.some(({ left, right }) => right > edge + 1 || left < -1)) report("outside the window", words, own);
    else if (painted && !scrolls && !hasEllipsis && out(painted)) report("sticks out of its box", words, painted);
    if (clip && !hasEllipsis) {
      const { top, bottom } = clip.getBoundingClientRect();
      const style = getComputedStyle(clip);
      const scrollsDown = /auto|scroll/.test(style.overflowY);
      if (out(clip) || (!scrollsDown && boxes.some((one) => one.bottom > bottom + 4 || one.top < top - 4))) report("cut", words, clip);
    }
    const style = getComputedStyle(own);
    const em = parseFloat(style.fontSize);
    const around = getComputedStyle(block ?? own);
    const column = (block ?? own).clientWidth - parseFloat(around.paddingLeft) - parseFloat(around.paddingRight);
    if (column < 6 * em && !hasEllipsis) for (const { 0: word, index } of node.textContent.matchAll(/\\S+/g)) {
      // An address, a code or an amount may break anywhere.
      if (/[@/\\d_]|\\.\\p{L}/u.test(word)) continue;
      for (const { 0: letters, index: start } of word.matchAll(/[\\p{L}\\p{M}’']{3,}/gu)) {
        range.setStart(node, index + start);
        range.setEnd(node, index + start + letters.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
        if (lines.size > 1) report("word broken in a column of " + (column / em).toFixed(1) + " em", letters, own);
      }
    }
    const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
    if (column < 6 * em && /\\s/.test(words) && boxes.length > 3 && height > 4.4 * em)
      report("column of " + (column / em).toFixed(1) + " em", words, own);
    if (!isFixed && !scrolls) texts.push({ node, words, own, boxes });
  }
  const tall = texts.flatMap(({ node, words, own, boxes }) => boxes.map((box) => ({ node, words, own, box })))
    .toSorted((one, other) => one.box.top - other.box.top);
  for (const [index, one] of tall.entries()) {
    for (let next = index + 1; next < tall.length && tall[next].box.top < one.box.bottom - 4; next++) {
      const other = tall[next];
      if (other.node === one.node) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      if (across > 3 && down > 0.4 * Math.min(one.box.height, other.box.height))
        report("written over by « " + other.words.slice(0, 20) + " »", one.words, one.own);
    }
  }
  return [...found];
})()`;
