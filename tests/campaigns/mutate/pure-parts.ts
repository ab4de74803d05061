// The pure parts, mutated by Stryker one small thing at a time.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { notDone, root, run } from "#tests/campaigns/supply/step.ts";
import { installTools, tool } from "#tests/campaigns/supply/tools.ts";
import { type Explained, type Part, readSource, type Score } from "./score.ts";

export interface PurePart {
  name: string;
  file: string;
  /** Where the pure part begins and ends, as the starts of two lines; else the whole file. */
  from?: string;
  to?: string;
}

export const pureFiles: readonly PurePart[] = [
  { name: "card", file: "contract/endpoint.ts", from: "export function isCardnumber", to: "}" },
  {
    name: "cards",
    file: "contract/cards/rows.ts",
    from: "export const cardTransitions",
    to: "export const relations",
  },
  {
    name: "top-ups",
    file: "contract/payments/rows.ts",
    from: "export const topUpTransitions",
    to: "export const sandboxOutcomes",
  },
  { name: "signature", file: "server/payments/signature.ts" },
  { name: "projection", file: "server/wallet/projection.ts" },
  { name: "days", file: "contract/days.ts" },
  { name: "token", file: "web/app/transport/token.ts" },
  { name: "french", file: "contract/french.ts" },
];

interface Mutant {
  status: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number }; end: { line: number; column: number } };
}

const report = join(root, ".tmp", "mutation-report.json");

/** The argument that names a part to Stryker: its file, with its lines where it has some. */
export async function rangeOf({ file, from, to }: PurePart): Promise<string> {
  const lines = (await readSource(file)).split("\n");
  if (!from || !to) return file;
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
async function mutate(
  part: PurePart,
  known: readonly Explained[],
  endsAt: number,
): Promise<Score | string> {
  const leftMs = endsAt - Date.now();
  if (leftMs < 10_000) return "out of time (--minutes)";
  const missing = await installTools();
  if (missing) return notDone(`Stryker could not be installed: ${missing}`).says;
  await rm(report, { force: true });
  const options = ["run", join("tools", "stryker.config.json"), "--mutate", await rangeOf(part)];
  const ran = await run(tool("stryker"), options, { timeoutMs: leftMs });
  const text = await readFile(report, "utf8").catch(() => null);
  if (text === null) {
    const late = Date.now() >= endsAt - 1000;
    if (late) return "stopped before its end (--minutes)";
    return `stryker failed: ${`${ran.out}${ran.err}`.trim().split("\n").slice(-6).join("\n    ")}`;
  }
  const mutants = Object.values(
    (JSON.parse(text) as { files: Record<string, { mutants: Mutant[] }> }).files,
  ).flatMap((file) => file.mutants);
  const source = await readSource(part.file);
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

export const pureParts: readonly Part[] = pureFiles.map((part) => ({
  name: part.name,
  mutate: (known, endsAt) => mutate(part, known, endsAt),
}));
