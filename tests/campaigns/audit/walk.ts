// The walk: each visit in each width and theme, in a real browser, checked and, if wanted, drawn.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import type { CastName } from "#tests/cast.ts";
import { settle } from "#tests/settle.ts";
import {
  axeFindings,
  type Finding,
  headingFaults,
  keyboardFindings,
  overflowFindings,
  referenceFindings,
  refusedBy,
  shiftOf,
  watchScript,
} from "./checks.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import { textSizeFindings, type TextSizes } from "./text-size.ts";
import type { Visit } from "./visit.ts";

export const themes = ["light", "dark"] as const;

export interface View {
  visit: Visit;
  width: number;
  theme: (typeof themes)[number];
  findings: Finding[];
  /** Cumulative layout shift of its opening, null for a theme that was only switched to. */
  shift: number | null;
  /** Name of the picture in the folder, if it was drawn. */
  shot: string | null;
}

export interface WalkOptions {
  widths: readonly number[];
  /** Opens each visit once and resizes it, instead of opening it at each width. */
  quick?: boolean;
  axe?: boolean;
  keyboard?: boolean;
  /** Measures each visit at these too, as its last opening left it. */
  textSizes?: TextSizes;
  /** Folder for the pictures. */
  shots?: string;
  /** Pages walked at the same time. */
  lanes?: number;
  onView?: (view: View) => void;
}

/** Makes every visit and answers what was seen. A visit that cannot be made is a finding too. */
export async function walk(
  furnished: FurnishedPortal,
  visits: readonly Visit[],
  options: WalkOptions,
): Promise<View[]> {
  if (options.shots) await mkdir(options.shots, { recursive: true });
  const views: View[] = [];
  const groups = Map.groupBy(
    visits.filter(({ before }) => !before),
    ({ as }) => as,
  );
  // Everybody's visits are cut in parts that two lanes can share.
  const waiting = [...groups].flatMap(([as, group]) => cut(group).map((part) => ({ as, part })));
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      views.push(...(await walkAs(furnished, next.as, next.part, options)));
    }
  };
  await Promise.all(Array.from({ length: options.lanes ?? 2 }, lane));
  for (const visit of visits.filter(({ before }) => before)) {
    views.push(...(await walkAs(furnished, visit.as, [visit], options)));
  }
  return views;
}

function cut(visits: readonly Visit[]): Visit[][] {
  const parts = [];
  for (let at = 0; at < visits.length; at += 8) parts.push(visits.slice(at, at + 8));
  return parts;
}

async function walkAs(
  furnished: FurnishedPortal,
  as: CastName | null,
  visits: readonly Visit[],
  options: WalkOptions,
): Promise<View[]> {
  const page = await furnished.portal.open();
  const said: string[] = [];
  page.on("console", (line) => line.type() === "error" && said.push(line.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.addInitScript(watchScript);
  if (as) await furnished.portal.signIn(page, as);
  // Each part of the walk logs in anew: the bell is not to be full of that.
  await sql`delete from notification where kind = 'security'`.execute(
    furnished.portal.server.deps.db,
  );
  const views = [];
  for (const visit of visits) {
    const undo = await visit.before?.();
    try {
      views.push(...(await seeVisit(page, visit, said, options)));
    } finally {
      await page.context().setOffline(false);
      await undo?.();
    }
  }
  await page.context().close();
  return views;
}

async function seeVisit(
  page: Page,
  visit: Visit,
  said: string[],
  options: WalkOptions,
): Promise<View[]> {
  const views: View[] = [];
  let opening: Opening = { findings: [], shift: 0, moved: "" };
  for (const [index, width] of options.widths.entries()) {
    await page.setViewportSize({ width, height: width < 1000 ? 740 : 800 });
    const opens = index === 0 || !options.quick;
    if (opens) opening = await openVisit(page, visit);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      const isOpening = opens && theme === "light";
      const view: View = {
        visit,
        width,
        theme,
        findings: isOpening ? opening.findings : [],
        shift: isOpening ? opening.shift : null,
        shot: null,
      };
      if (isOpening && opening.shift > 0.01) {
        const text = `CLS ${opening.shift.toFixed(3)}, ${opening.moved}`;
        view.findings.push({ check: "shift", text });
      }
      view.findings.push(...(await look(page, view, options)));
      const isLast = index === options.widths.length - 1 && theme === themes.at(-1);
      if (isLast && options.textSizes)
        view.findings.push(...(await textSizeFindings(page, options.textSizes)));
      for (const text of await refusedBy(page)) view.findings.push({ check: "csp", text });
      for (const text of await headingFaults(page)) view.findings.push({ check: "heading", text });
      for (const text of said.splice(0)) {
        if (!visit.expected?.test(text)) view.findings.push({ check: "console", text });
      }
      options.onView?.(view);
      views.push(view);
    }
  }
  return views;
}

interface Opening {
  findings: Finding[];
  /** How much moved by itself of what was in view, before anything was done or scrolled. */
  shift: number;
  moved: string;
}

async function openVisit(page: Page, visit: Visit): Promise<Opening> {
  let opening = { shift: 0, moved: "" };
  try {
    await page.context().setOffline(false);
    await page.emulateMedia({ colorScheme: "light" });
    // The same address again is one entry of the history, and what a page keeps in it would be kept.
    if (documentOf(URL.parse(visit.address, page.url())) === documentOf(URL.parse(page.url())))
      await page.goto("/robots.txt");
    await page.goto(visit.address);
    await settle(page, "seen");
    opening = await shiftOf(page);
    await settle(page);
    await page.evaluate("scrollTo(0, 0)");
    if (visit.act) {
      await visit.act(page);
      await settle(page);
    }
    return { ...opening, findings: [] };
  } catch (error) {
    const text = `cannot be visited: ${String(error).split("\n")[0]}`;
    return { ...opening, findings: [{ check: "console", text }] };
  }
}

const documentOf = (url: URL | null) => url?.href.replace(/#.*/, "");

async function look(page: Page, view: View, options: WalkOptions): Promise<Finding[]> {
  const found = await overflowFindings(page);
  const axeRules = options.axe ? axeRulesOf(view, options) : "none";
  if (axeRules !== "none")
    found.push(...(await axeFindings(page, axeRules === "all" ? undefined : axeRules)));
  found.push(...(await referenceFindings(page)));
  if (options.shots) view.shot = await draw(page, view, options.shots);
  if (options.keyboard && view.theme === "light") found.push(...(await keyboardFindings(page)));
  return found;
}

/**
 * What axe is asked of a view. On a quick walk a screen is asked for all at each width, its states once, on the
 * phone (the journeys ask axe of them at a desk); in the dark, where nothing but colours differs, for those, once.
 */
function axeRulesOf(
  { visit, width, theme }: View,
  { quick, widths }: WalkOptions,
): "all" | "color-contrast" | "none" {
  if (!quick) return "all";
  const [wide] = widths;
  const phone = widths.at(-1);
  if (theme === "dark") return width === (visit.act ? phone : wide) ? "color-contrast" : "none";
  return visit.act && width !== phone ? "none" : "all";
}

async function draw(page: Page, view: View, folder: string): Promise<string> {
  const { visit, width, theme } = view;
  const words = `${visit.route} ${visit.state} ${visit.as ?? visit.caller}`;
  const plain = words
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-zA-Z0-9]+/g, "-");
  const name = `${plain.replaceAll(/^-|-$/g, "").toLowerCase()}.${width}.${theme}.png`;
  const modal = await page.evaluate<boolean>("document.querySelector('dialog[open]') !== null");
  // As tall as the page, so that what is fixed to the edges is drawn at the edges.
  const before = page.viewportSize();
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  if (!modal) await page.setViewportSize({ width, height });
  await page.screenshot({ path: join(folder, name) });
  if (before) await page.setViewportSize(before);
  return name;
}
