// `npm run faults`: breaks the portal for real, one campaign after the other, and says what was lost.
//   --only crash,commit   some campaigns      --list          what there is
//   --quick               the small sizes     --seed 42       the same chance again
//   --rounds 30 …         any size of a campaign, by its name
import { parseArgs } from "node:util";
import { sweepOnSignal } from "#tests/scratch.ts";
import { killServers } from "#tests/server-process.ts";
import { type Campaign, type Outcome, perform, sizesOf } from "#tests/campaigns/faults/campaign.ts";
import { campaigns } from "#tests/campaigns/faults/campaigns.ts";
import { removeTemplate } from "#tests/campaigns/faults/data-folder.ts";

interface Line {
  campaign: Campaign;
  outcome: Outcome;
  seconds: number;
}

const sizeNames = [...new Set(campaigns.flatMap((campaign) => Object.keys(campaign.sizes)))];
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    list: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    ...Object.fromEntries(sizeNames.map((name) => [name, { type: "string" as const }])),
  },
});
const options = values as Record<string, string | boolean | undefined>;
const overrides = Object.fromEntries(
  sizeNames.filter((name) => options[name] !== undefined).map((name) => [name, whole(name)]),
);
const only = String(options["only"]).split(",").filter(Boolean);
const unknown = only.filter((name) => !campaigns.some((campaign) => campaign.name === name));
if (unknown.length > 0) {
  console.error(`Unknown campaign: ${unknown.join(", ")}.`);
  list();
  process.exit(2);
}
sweepOnSignal();
if (options["list"]) list();
else process.exitCode = (await runAll()) ? 0 : 1;

function whole(name: string): number {
  const value = Number(options[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} wants a whole number, not ${options[name]}.`);
  process.exit(2);
}

function list(): void {
  for (const { name, says, sizes } of campaigns) {
    const flags = Object.entries(sizes).map(([size, { full }]) => `--${size} ${full}`);
    console.log(`${name.padEnd(10)} ${says}\n${" ".repeat(11)}${flags.join(" ")}`);
  }
}

async function runAll(): Promise<boolean> {
  const seed = whole("seed");
  console.log(`seed ${seed}`);
  const lines: Line[] = [];
  for (const campaign of campaigns) {
    if (only.length === 0 || only.includes(campaign.name)) lines.push(await runOne(campaign, seed));
  }
  await removeTemplate();
  table(lines);
  return lines.every(({ outcome }) => outcome.lost.length === 0);
}

async function runOne(campaign: Campaign, seed: number): Promise<Line> {
  const size = sizesOf(campaign, options["quick"] ? "quick" : "full", overrides);
  const started = performance.now();
  const sizeTexts = Object.entries(size).map(([name, value]) => `${name} ${value}`);
  console.log(`\n── ${campaign.name}: ${campaign.says} (${sizeTexts.join(", ")})`);
  const outcome = await perform(campaign, { size, seed, progress });
  killServers();
  const seconds = (performance.now() - started) / 1000;
  progress("");
  console.log(`${mark(outcome)} ${outcome.skipped ?? outcome.did}`);
  for (const what of outcome.lost) console.log(`  ✗ ${what}`);
  return { campaign, outcome, seconds };
}

// On a terminal one line that is written over; elsewhere a line at most every five seconds.
function progress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text ? `  ${text}` : ""}`);
  else if (text && performance.now() - (progress.at ?? 0) > 5000) {
    progress.at = performance.now();
    console.log(`  ${text}`);
  }
}
progress.at = undefined as number | undefined;

function mark({ lost, skipped }: Outcome): string {
  if (lost.length > 0) return "✗ LOST";
  return skipped ? "– skipped" : "✓ held";
}

function table(lines: readonly Line[]): void {
  console.log(`\n${"campaign".padEnd(10)} ${"".padEnd(9)} ${"time".padStart(7)}  what was done`);
  for (const { campaign, outcome, seconds } of lines) {
    const time = `${seconds.toFixed(1)} s`.padStart(7);
    const did = outcome.skipped ?? outcome.did;
    console.log(`${campaign.name.padEnd(10)} ${mark(outcome).padEnd(9)} ${time}  ${did}`);
  }
  const lost = lines.filter(({ outcome }) => outcome.lost.length > 0).length;
  const skipped = lines.filter(({ outcome }) => outcome.skipped).length;
  const held = lines.length - lost - skipped;
  console.log(`\n${held} held, ${skipped} skipped, ${lost} lost`);
}
