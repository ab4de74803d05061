// The accessibility rules of axe-core on a page as it stands: WCAG 2.2 A and AA, and good practice.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { endWithin, settle } from "./settle.ts";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// Each document reads it anew, and it travels each time: the short form is less than half as long.
const require = createRequire(import.meta.url);
const script = readFile(require.resolve("axe-core/axe.min.js"), "utf8");

/**
 * The faults that axe finds on a page once it has settled, one line an element; empty for every screen.
 * `onlyRule` runs that rule alone. A target that a bar at the foot covers in part is a fault where it stays so
 * once the page is scrolled to its end. A run that has no answer by the limit fails and says so.
 */
export async function violationsOf(
  page: Page,
  onlyRule?: string,
  limitMs = 90_000,
): Promise<string[]> {
  const found = await settleAndRun(page, onlyRule, limitMs);
  const hasCovered =
    found.some((one) => targetOf(one) !== null) && (await page.locator(".foot-bar").count()) > 0;
  if (!hasCovered) return found;
  const top = await page.evaluate<number>("scrollY");
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const atEnd = new Set((await settleAndRun(page, "target-size", limitMs)).map(targetOf));
  await page.evaluate(`scrollTo(0, ${top})`);
  return found.filter((one) => targetOf(one) === null || atEnd.has(targetOf(one)));
}

/** The element of a fault of the rule on the size of targets; null of any other rule. */
const targetOf = (fault: string): string | null =>
  /^target-size: (.*?) Fix /s.exec(fault)?.[1] ?? null;

async function settleAndRun(
  page: Page,
  onlyRule: string | undefined,
  limitMs: number,
): Promise<string[]> {
  await settle(page, "seen");
  const wait = { page, name: "axe", limitMs, missing: () => "its report" };
  return await endWithin(wait, () => run(page, onlyRule));
}

async function run(page: Page, onlyRule?: string): Promise<string[]> {
  // Through the debugger, which the content security policy of the page does not bind.
  const debug = await page.context().newCDPSession(page);
  const known = await page.evaluate("typeof axe === 'object'");
  if (!known) await debug.send("Runtime.evaluate", { expression: await script });
  const { result } = await debug.send("Runtime.evaluate", {
    expression:
      `axe.run(document,{resultTypes:["violations"],runOnly:${JSON.stringify(onlyRule ? { type: "rule", values: [onlyRule] } : tags)}}).then((report)=>` +
      "JSON.stringify(report.violations.flatMap((rule)=>rule.nodes.map((node)=>" +
      "rule.id+': '+node.target.join(' ')+' '+node.failureSummary))))",
    awaitPromise: true,
    returnByValue: true,
  });
  await debug.detach();
  return JSON.parse(String(result.value)) as string[];
}
