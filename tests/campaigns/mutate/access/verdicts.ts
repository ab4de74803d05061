// Tests each site with the calls of the access matrix that reach it.
import { ownCluster } from "#tests/cluster.ts";
import { type DemoCallers, openDemoCallers } from "#tests/demo-callers.ts";
import { recordWrites } from "#tests/recorded-writes.ts";
import { root } from "#tests/campaigns/supply/step.ts";
import { type MatrixCall, matrixCalls } from "./calls.ts";
import { type ColumnSite, columnSites } from "./columns.ts";
import type { Site } from "./instrument.ts";
import { takeReached, vanish } from "./mutant-switch.ts";
import { type CallOutcome, difference, outcomeOf, type Stable, stableParts } from "./outcome.ts";

interface BaselineCall {
  call: MatrixCall;
  was: CallOutcome;
  /** The parts that are the same at each call; computed when they are first needed. */
  stable?: Stable;
}

export interface Verdict {
  site: Site;
  /** By a refusal that comes or stays away, by what is shown or written alone, or not at all. */
  noticed: "refusal" | "content" | "nothing";
  /** The call that noticed it. */
  by: string;
  /** Rows whose calls reach it. */
  rows: readonly string[];
}

export interface AccessRun {
  verdicts: readonly Verdict[];
  /** Sites that no call reached. */
  unreached: readonly Site[];
  /** Mutants for which no time was left. */
  untested: number;
  calls: number;
}

/** A check that is switched off between `on` and `off`, and the calls that reach it. */
interface Mutant {
  site: Site;
  near: readonly BaselineCall[];
  on(): void;
  off(): void;
}

interface Order {
  endsAt: number;
  /** Survivors that were read come last: no call notices them, however many reach them. */
  isRead: (site: Site) => boolean;
}

/** Opens the demo and tests the sites until `endsAt`. */
export async function testSites(sites: readonly Site[], order: Order): Promise<AccessRun> {
  const stop = await ownCluster();
  try {
    const demo = await openDemoCallers();
    try {
      demo.server.clock.freeze();
      await recordWrites(demo.server.owner.pool);
      return await testAll(demo, sites, order);
    } finally {
      await demo.server.close();
    }
  } finally {
    await stop();
  }
}

async function testAll(
  demo: DemoCallers,
  sites: readonly Site[],
  { endsAt, isRead }: Order,
): Promise<AccessRun> {
  const calls = await matrixCalls(demo);
  const { baseline, passing } = await unchanged(demo, calls);
  const mutants = [
    ...(await columnSites(root)).map((site) => columnMutant(site, baseline)),
    ...sites.flatMap((site, number) => siteMutants(site, number, passing.get(number) ?? [])),
  ]
    .filter(({ near }) => near.length > 0)
    .toSorted((one, other) => Number(isRead(one.site)) - Number(isRead(other.site)));
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    if (Date.now() > endsAt) break;
    verdicts.push(await testMutant(demo, mutant));
  }
  return {
    verdicts,
    unreached: sites.filter((_, number) => !passing.has(number)),
    untested: mutants.length - verdicts.length,
    calls: calls.length,
  };
}

/** Makes each call with all checks in place, and records which sites it reaches. */
async function unchanged(demo: DemoCallers, calls: readonly MatrixCall[]) {
  const baseline: BaselineCall[] = [];
  const passing = new Map<number, BaselineCall[]>();
  takeReached();
  for (const call of calls) {
    const one = { call, was: await outcomeOf(demo, call) };
    baseline.push(one);
    for (const site of takeReached()) {
      const near = passing.get(site) ?? [];
      near.push(one);
      passing.set(site, near);
    }
  }
  return { baseline, passing };
}

const byRow = (near: readonly BaselineCall[]): BaselineCall[][] => [
  ...Map.groupBy(near, ({ call }) => call.name).values(),
];

/** The mutants of a site: one, or one for each row that shares it. */
function siteMutants(site: Site, number: number, near: readonly BaselineCall[]): Mutant[] {
  const turns = site.perRow ? byRow(near) : [near];
  return turns.map((turn): Mutant => {
    const lineText = `${turn[0]?.call.name} ${site.lineText}`;
    return {
      site: site.perRow ? { ...site, lineText } : site,
      near: spread(turn),
      on: () => vanish(number),
      off: () => vanish(undefined),
    };
  });
}

/** A call of each row in turn, so that one that notices comes soon. */
function spread(near: readonly BaselineCall[]): BaselineCall[] {
  const turns = byRow(near);
  const longest = Math.max(0, ...turns.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    turns.flatMap((one) => one[place] ?? []),
  ).flat();
}

const byColumns = new Set(["forbidden", "reset_required", "company_role", "company_missing"]);

function columnMutant(site: ColumnSite, baseline: readonly BaselineCall[]): Mutant {
  const { row, without } = site;
  const { access, right } = row;
  const near = baseline.filter(({ call }) => call.name === site.rowName);
  const isByColumn = ({ was }: BaselineCall) => Number(byColumns.has(was.code));
  return {
    site,
    near: near.toSorted((one, other) => isByColumn(other) - isByColumn(one)),
    on: () => Object.assign(row, without),
    off: () => Object.assign(row, { access }, right && { right }),
  };
}

/** So many more calls may show that what is noticed by content is refused otherwise as well. */
const callsAfterContent = 25;

async function testMutant(demo: DemoCallers, mutant: Mutant): Promise<Verdict> {
  const { site, near } = mutant;
  const rows = [...new Set(near.map(({ call }) => call.name))];
  let seen: Verdict | undefined;
  let more = callsAfterContent;
  for (const one of near) {
    const noticed = await noticedBy(demo, mutant, one);
    const verdict = { site, noticed, by: `${one.call.name}: ${one.call.words}`, rows };
    if (noticed === "refusal") return verdict;
    if (noticed === "content") seen ??= verdict;
    if (seen && more-- === 0) break;
  }
  return seen ?? { site, noticed: "nothing", by: "", rows };
}

async function noticedBy(
  demo: DemoCallers,
  mutant: Mutant,
  one: BaselineCall,
): Promise<Verdict["noticed"]> {
  mutant.on();
  const is = await outcomeOf(demo, one.call);
  mutant.off();
  if (!difference(one.was, is)) return "nothing";
  // Values that differ by themselves from one call to the next are ignored.
  one.stable ??= stableParts(one.was, await outcomeOf(demo, one.call));
  return difference(one.was, is, one.stable) ?? "nothing";
}
