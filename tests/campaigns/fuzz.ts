// `npm run fuzz`: every row of the contract, from its own schema and against it, as every kind of
// caller; then sockets that do not behave, while others work.
//   --n 10000       requests for each row       --only a.b,c.d  some rows
//   --seed 42       the same requests again     --quick         the sizes of `npm test`
//   --no-rows, --no-sockets                     one half alone
import { parseArgs } from "node:util";
import { ownCluster } from "#tests/cluster.ts";
import { quick } from "#tests/campaigns/fuzz/quick.ts";
import { fuzzRows, type Tally } from "#tests/campaigns/fuzz/rows.ts";
import { abuseSockets } from "#tests/campaigns/fuzz/sockets.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "10000" },
    only: { type: "string", default: "" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    quick: { type: "boolean", default: false },
    "no-rows": { type: "boolean", default: false },
    "no-sockets": { type: "boolean", default: false },
  },
});
const n = values.quick ? quick.n : whole("n");
const seed = whole("seed");
const only = values.only.split(",").filter(Boolean);

function whole(name: "n" | "seed"): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} wants a whole number, not ${values[name]}.`);
  process.exit(2);
}

console.log(
  `seed ${seed}, ${n} requests a row${values.quick ? ` (${quick.pdf} where a PDF is drawn)` : ""}`,
);
const heads = ["sent", "2xx/3xx", "4xx", "5xx"].map((word) => word.padStart(8)).join("");
const stop = await ownCluster();
let sound = true;
try {
  if (!values["no-rows"]) {
    console.log(`\n${"row".padEnd(30)}${heads}      time  let in, refusals`);
    const tallies = await fuzzRows({ n, pdf: values.quick ? quick.pdf : n, seed, only }, (tally) =>
      line(tally),
    );
    summary(tallies);
    sound = tallies.length > 0 && tallies.every(({ faults }) => faults.size === 0);
  }
  if (!values["no-sockets"] && only.length === 0) {
    sound = (await abuseSockets(values.quick ? quick.sockets : undefined)) && sound;
  }
} finally {
  await stop();
}
process.exitCode = sound ? 0 : 1;

function line({ name, requests, seconds, ...tally }: Tally): void {
  const codes = [...tally.codes].sort(([, a], [, b]) => b - a).map(([code]) => code);
  const numbers = [requests, tally.good, tally.refused, tally.broken];
  console.log(
    `${tally.faults.size > 0 ? "✗" : "✓"} ${name.padEnd(28)}` +
      numbers.map((value) => String(value).padStart(8)).join("") +
      `${seconds.toFixed(1).padStart(8)} s  ${tally.let.size}/9  ${codes.slice(0, 5).join(" ")}`,
  );
  for (const [fault, { times, example }] of tally.faults) {
    console.log(`    ${times} × ${fault}\n        ${example}`);
  }
}

function summary(tallies: readonly Tally[]): void {
  const sum = (of: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const faulty = tallies.filter(({ faults }) => faults.size > 0);
  console.log(
    `\n${tallies.length} rows, ${sum((one) => one.requests)} requests, ${sum((one) => one.good)} let ` +
      `through, ${sum((one) => one.refused)} refused, ${sum((one) => one.broken)} broken; ` +
      (faulty.length === 0
        ? "all inside the contract"
        : `faults in ${faulty.map(({ name }) => name).join(", ")}; again with --seed ${seed}`),
  );
}
