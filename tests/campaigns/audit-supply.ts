// `npm run audit:supply`: what the portal takes from others, and what it leaves lying about.
//   --strict    a step that could not be done fails the command too (for a release)
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { auditLicences } from "#tests/campaigns/supply/licences.ts";
import { auditLockfiles, auditPins } from "#tests/campaigns/supply/lockfile.ts";
import { writeSbom } from "#tests/campaigns/supply/sbom.ts";
import { auditSecrets } from "#tests/campaigns/supply/secrets.ts";
import {
  complaint,
  toOutcome,
  notDone,
  npm,
  type Outcome,
  root,
  run,
} from "#tests/campaigns/supply/step.ts";

const { values } = parseArgs({ options: { strict: { type: "boolean", default: false } } });

const steps: readonly { name: string; audit: () => Promise<Outcome> }[] = [
  { name: "exact pins", audit: auditPins },
  { name: "lock files", audit: auditLockfiles },
  { name: "licences", audit: auditLicences },
  { name: "SBOM", audit: writeSbom },
  { name: "secrets", audit: auditSecrets },
  { name: "unused code and dependencies", audit: auditUnused },
  { name: "known vulnerabilities", audit: auditVulnerabilities },
];

async function auditUnused(): Promise<Outcome> {
  const ran = await run("knip", ["--no-progress"]);
  if (ran.code === 127) return notDone(`knip could not be started: ${ran.err}`);
  const lines = `${ran.out}\n${ran.err}`.split("\n").filter((line) => line.trim() !== "");
  return ran.code === 0
    ? toOutcome([], "knip finds none")
    : { state: "failed", says: "knip finds some", details: lines };
}

interface Advisories {
  error?: unknown;
  message?: string;
  vulnerabilities?: Record<string, { severity: string; range: string }>;
}

/** Only npm's advisory service knows: when it does not answer, nothing is known. */
async function auditVulnerabilities(): Promise<Outcome> {
  const ran = await npm(["audit", "--json"], { timeoutMs: 60_000 });
  const answer = parsed(ran.out);
  if (!answer?.vulnerabilities) {
    return notDone(`npm's advisory service did not answer (${answer?.message ?? complaint(ran)})`);
  }
  const found = Object.entries(answer.vulnerabilities).map(
    ([name, { severity, range }]) => `${severity}: ${name} ${range}`,
  );
  return toOutcome(found, "npm knows of none");
}

function parsed(text: string): Advisories | null {
  try {
    return JSON.parse(text) as Advisories;
  } catch {
    return null;
  }
}

await mkdir(join(root, ".tmp"), { recursive: true });
const outcomes: Outcome[] = [];
const marks = { passed: "✓", failed: "✗", "not done": "?" } as const;
for (const { name, audit } of steps) {
  const outcome = await audit();
  outcomes.push(outcome);
  console.log(`${marks[outcome.state]} ${name.padEnd(30)}${outcome.state}: ${outcome.says}`);
  for (const detail of outcome.details) console.log(`    ${detail}`);
}
const count = (state: Outcome["state"]) => outcomes.filter((one) => one.state === state).length;
console.log(
  `audit:supply: ${count("passed")} passed, ${count("failed")} failed, ${count("not done")} not done`,
);
if (count("failed") > 0 || (values.strict && count("not done") > 0)) process.exitCode = 1;
