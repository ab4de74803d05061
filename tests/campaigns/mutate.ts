// `npm run mutate`: changes the pure parts one small thing at a time and sees whether a test notices.
// Prints a score and every survivor; those that were read and change nothing say why
// (tools/survivors.json). A score is a figure, not a gate.
//   --only french,days        some parts     --minutes 10    stop after that long
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { notDone, root, run } from "#tests/campaigns/supply/step.ts";
import { installTools, tool } from "#tests/campaigns/supply/tools.ts";

interface Part {
  name: string;
  file: string;
  /** Where the pure part begins and ends, as the starts of two lines; else the whole file. */
  from?: string;
  to?: string;
}

const parts: readonly Part[] = [
  { name: "card", file: "contract/endpoint.ts", from: "export function isCardnumber", to: "}" },
  {
    name: "cards",
    file: "contract/cards/rows.ts",
    from: "export const cardTransitions",
    to: "/** How a card of the list",
  },
  {
    name: "top-ups",
    file: "contract/payments/rows.ts",
    from: "export const topUpTransitions",
    to: "export const sandboxOutcomes",
  },
  { name: "signature", file: "server/payments/signature.ts" },
  { name: "projection", file: "server/wallet/projection.ts" },
  { name: "days", file: "server/wallet/days.ts" },
  { name: "token", file: "web/app/token.ts" },
  { name: "french", file: "contract/french.ts" },
];

interface Mutant {
  status: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number }; end: { line: number; column: number } };
}

/** A survivor that was read: its line, the text that it replaces, by what, why nothing can notice. */
interface Explained {
  file: string;
  line: string;
  was: string;
  becomes: string;
  why: string;
}

interface Score {
  killed: number;
  explained: number;
  survivors: string[];
}

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, minutes: { type: "string", default: "15" } },
});
const only = values.only.split(",").filter(Boolean);
const endsAt = Date.now() + Number(values.minutes) * 60_000;
const report = join(root, ".tmp", "mutation-report.json");
const read = async (path: string) => readFile(join(root, path), "utf8");

/** The argument that names a part to Stryker: its file, with its lines where it has some. */
async function rangeOf({ file, from, to }: Part): Promise<string> {
  if (!from || !to) return file;
  const lines = (await read(file)).split("\n");
  const first = lines.findIndex((line) => line.startsWith(from));
  const last = lines.findIndex((line, index) => index > first && line.startsWith(to));
  if (first < 0 || last < 0) throw new Error(`${file} has no « ${from} » … « ${to} » any more`);
  return `${file}:${first + 1}-${last + 1}`;
}

function textAt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column - 1);
  lines[0] = (lines[0] ?? "").slice(start.column - 1);
  return lines.join("\n");
}

/** Mutates one part; a string is the reason why it could not be done. */
async function mutate(part: Part, known: readonly Explained[]): Promise<Score | string> {
  const leftMs = endsAt - Date.now();
  if (leftMs < 10_000) return `out of time (--minutes ${values.minutes})`;
  await rm(report, { force: true });
  const options = ["run", join("tools", "stryker.config.json"), "--mutate", await rangeOf(part)];
  const ran = await run(tool("stryker"), options, { timeoutMs: leftMs });
  const text = await readFile(report, "utf8").catch(() => null);
  if (text === null) {
    const late = Date.now() >= endsAt - 1000;
    if (late) return `stopped before its end (--minutes ${values.minutes})`;
    return `stryker failed: ${`${ran.out}${ran.err}`.trim().split("\n").slice(-6).join("\n    ")}`;
  }
  const mutants = Object.values(
    (JSON.parse(text) as { files: Record<string, { mutants: Mutant[] }> }).files,
  ).flatMap((file) => file.mutants);
  const source = await read(part.file);
  const lines = source.split("\n");
  const score: Score = { killed: 0, explained: 0, survivors: [] };
  for (const { status, mutatorName, replacement, location } of mutants) {
    if (status === "Killed" || status === "Timeout") score.killed++;
    if (status !== "Survived" && status !== "NoCoverage") continue;
    const was = textAt(source, location);
    const line = lines[location.start.line - 1]?.trim();
    const reason = known.some(
      (one) =>
        one.file === part.file &&
        one.line === line &&
        one.was === was &&
        one.becomes === replacement,
    );
    if (reason) score.explained++;
    else {
      const place = `${part.file}:${location.start.line}:${location.start.column}`;
      score.survivors.push(`${place} ${mutatorName}: ${was} → ${replacement}`);
    }
  }
  return score;
}

const missing = await installTools();
if (missing) {
  console.log(`mutate: ${notDone(`Stryker could not be installed: ${missing}`).says}`);
  process.exit(1);
}
const known = JSON.parse(await read("tools/survivors.json")) as Explained[];
const total: Score = { killed: 0, explained: 0, survivors: [] };
let undone = 0;
const percent = ({ killed, explained, survivors }: Score) =>
  ((100 * killed) / Math.max(1, killed + explained + survivors.length)).toFixed(1);
for (const part of parts.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const startedMs = performance.now();
  const score = await mutate(part, known);
  if (typeof score === "string") {
    undone++;
    console.log(`${part.name.padEnd(12)} not done: ${score}`);
    continue;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const { killed, explained, survivors } = score;
  console.log(
    `${part.name.padEnd(12)} ${percent(score).padStart(5)} %  ${killed} noticed, ` +
      `${explained} equivalent, ${survivors.length} survived  (${seconds} s)`,
  );
  for (const survivor of survivors) console.log(`    ${survivor.replaceAll("\n", "\n      ")}`);
  total.killed += killed;
  total.explained += explained;
  total.survivors.push(...survivors);
}
console.log(
  `mutate: ${percent(total)} % of ${total.killed + total.explained + total.survivors.length} ` +
    `noticed, ${total.explained} read and found equivalent, ${total.survivors.length} survived, ` +
    `${undone} parts not done`,
);
if (undone > 0) process.exitCode = 1;
