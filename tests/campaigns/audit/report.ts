// The findings of the walk, as one HTML page with the pictures, and as a table in the terminal.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckName, checkNames, gates } from "./checks.ts";
import type { View } from "./walk.ts";

/** A figure that is printed beside its goal and never fails the command. */
export interface Figure {
  what: string;
  value: string;
  goal: string;
}

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

const count = (views: readonly View[], check: CheckName) =>
  views.flatMap(({ findings }) => findings).filter((finding) => finding.check === check).length;

/** Prints a line for each route with what each check found there; answers how many findings fail. */
export function printTable(views: readonly View[], figures: readonly Figure[]): number {
  const routes = Map.groupBy(views, ({ visit }) => visit.route);
  const width = Math.max(...[...routes.keys()].map((route) => route.length));
  const head = ["views", ...checkNames].map((name) => name.padStart(9)).join("");
  console.log(`\n${"route".padEnd(width)}${head}`);
  for (const [route, seen] of routes) {
    const cells = [seen.length, ...checkNames.map((check) => count(seen, check))];
    console.log(route.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join(""));
  }
  console.log("");
  for (const { what, value, goal } of figures) {
    console.log(`${what.padEnd(width)}  ${value.padStart(12)}   ${goal}`);
  }
  const failing = gates.reduce((sum, check) => sum + count(views, check), 0);
  console.log(
    `\n${views.length} views, ${failing} findings of ${gates.join(", ")}; the others are told, never a gate`,
  );
  return failing;
}

/** Prints each finding once, however many views it was seen in. */
export function printFindings(views: readonly View[]): void {
  const byLine = Map.groupBy(
    views.flatMap(({ visit, width, theme, findings }) =>
      findings.map(({ check, text }) => ({
        line: `${check}: ${visit.route} (${visit.state}, ${visit.caller}): ${text}`,
        where: `${width} ${theme}`,
      })),
    ),
    ({ line }) => line,
  );
  for (const [line, seen] of byLine) {
    console.log(`${line}\n    at ${seen.map(({ where }) => where).join(", ")}`);
  }
}

/** Writes `index.html` beside the pictures and answers where. */
export async function writeReport(
  folder: string,
  views: readonly View[],
  figures: readonly Figure[],
): Promise<string> {
  const groups = Map.groupBy(
    views,
    ({ visit }) => `${visit.route} · ${visit.state} · ${visit.as ?? visit.caller}`,
  );
  const parts = [...groups].map(([title, seen]) => part(title, seen)).join("\n");
  const rows = figures
    .map(({ what, value, goal }) => `<tr><td>${what}<td>${escape(value)}<td>${escape(goal)}`)
    .join("\n");
  const file = join(folder, "index.html");
  await writeFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Web audit</title>
<style>
body { font: 15px/1.4 system-ui; margin: 2rem; background: #f4f4f4 }
section { margin: 1.5rem 0; padding: 1rem; background: #fff }
h2 { font-size: 1rem } td { padding: 2px 1rem 2px 0 }
.shots { display: flex; gap: 12px; align-items: start; overflow-x: auto }
figure { margin: 0; font-size: 12px } img { height: 420px; display: block; border: 1px solid #ccc }
li.gate { color: #a00; font-weight: 600 }
</style>
<h1>Web audit, ${new Date().toISOString().slice(0, 16)}</h1>
<table>${rows}</table>${parts}</html>\n`,
  );
  return file;
}

function part(title: string, views: readonly View[]): string {
  const found = views.flatMap(({ width, theme, findings }) =>
    findings.map(
      ({ check, text }) =>
        `<li${gates.includes(check) ? ' class="gate"' : ""}>${width} ${theme} ${check}: ${escape(text)}`,
    ),
  );
  const shots = views
    .filter(({ shot }) => shot)
    .map(
      ({ shot, width, theme }) =>
        `<figure><a href="${shot}"><img loading="lazy" src="${shot}" alt=""></a>${width} ${theme}</figure>`,
    );
  return `<section><h2>${escape(title)}</h2><ul>${found.join("")}</ul>
<div class="shots">${shots.join("")}</div></section>`;
}
