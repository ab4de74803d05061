// `npm run mutate`: changes the pure parts one small thing at a time, and takes the server's access checks away
// one at a time, and sees whether a test notices. Prints a score and every survivor; those that were read and change
// nothing say why (tools/survivors.json). A score is a figure, not a gate.
//   access french    some parts     --minutes 10    stop each after that long
import { parseArgs } from "node:util";
import { accessPart } from "./mutate/access/access.ts";
import { pureParts } from "./mutate/pure-parts.ts";
import { type Explained, type Part, readSource, type Score } from "./mutate/score.ts";

const parts: readonly Part[] = [...pureParts, accessPart];
const { values, positionals: only } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "20" } },
});
const unknown = only.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown part: ${unknown.join(", ")}. There are ${parts.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
const known = JSON.parse(await readSource("tools/survivors.json")) as Explained[];
const total: Score = { killed: 0, explained: 0, survivors: [] };
let undone = 0;
const percent = ({ killed, explained, survivors }: Score) =>
  ((100 * killed) / Math.max(1, killed + explained + survivors.length)).toFixed(1);
for (const part of parts.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const startedMs = performance.now();
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  const score = await part.mutate(known, endsAt);
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
  for (const note of score.notes ?? []) console.log(`  ${note}`);
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
