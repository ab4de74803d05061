// The results of a run: a table on the terminal, and a line in docs/figures.md, below those of earlier runs.
import { spawnSync } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { todayInParis } from "#contract/days.ts";

export interface Line {
  what: string;
  value: number;
  min: number;
  max: number;
  unit: string;
  goal: string;
}

export interface Machine {
  loadBefore: number;
  /** Load averages at the end of each round. */
  loads: readonly number[];
  seconds: number;
  rounds: number;
  failures: number;
}

const figures = join(import.meta.dirname, "..", "..", "docs", "figures.md");
/** The figures stored in docs/figures.md, by their name in the table. */
const columns = [
  // The speed of the machine that day: milliseconds of two rows compare only where this figure does.
  "bare node:http answer",
  "HTTP ÷ pgbench, uniform",
  "HTTP ÷ pgbench, hot",
  "/api/card/info ÷ bare node:http",
  "movements, a page of 20 ÷ bare node:http",
  "wallets of a card ÷ bare node:http",
  "/api/health ÷ bare node:http",
  "p99 of a transfer, 64 connections",
  "p99 of a read, 64 connections",
  "p99 of reads beside logins ÷ quiet",
  "resident memory after all loads",
  "cold start to first 200",
  "recovery after kill -9 of both",
];

const formatValue = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Prints the table with the machine on which it was measured. */
export function printTable(machine: Machine, lines: readonly Line[]): void {
  const { loadBefore, loads, rounds, seconds, failures } = machine;
  console.log(
    `\n${todayInParis()}, ${availableParallelism()} × ${cpus()[0]?.model ?? "?"}, Node ${process.version}, ` +
      `load average ${loadBefore.toFixed(1)} before, ` +
      `${loads.map((one) => one.toFixed(1)).join(", ")} during; ` +
      `${rounds} rounds of ${seconds} s, median (least to most), ${failures} failures\n`,
  );
  console.log("| what | median | spread | goal |\n|---|---|---|---|");
  for (const { what, value, min, max, unit, goal } of lines) {
    console.log(
      `| ${what} | ${formatValue(value)} ${unit} | ${formatValue(min)}–${formatValue(max)} | ${goal} |`,
    );
  }
}

/** Adds the run's medians to docs/figures.md: date, commit, load average, then each stored figure. */
export async function appendFigures(machine: Machine, lines: readonly Line[]): Promise<void> {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  const load = Math.max(machine.loadBefore, ...machine.loads).toFixed(1);
  const values = columns.map((name) => {
    const line = lines.find(({ what }) => what === name);
    return line ? `${formatValue(line.value)} ${line.unit}` : "";
  });
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const heads = ["date", "commit", "load", ...columns];
  const title = "## Runs of the goals";
  if (!(await readFile(figures, "utf8")).includes(title))
    await appendFile(figures, `\n${title}\n\n${row(heads)}${row(heads.map(() => "---"))}`);
  await appendFile(figures, row([todayInParis(), stdout.trim() || "?", load, ...values]));
  spawnSync("oxfmt", [figures]);
}
