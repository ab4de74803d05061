// Takes the access checks of the server away one at a time and makes the calls of the access matrix that come by:
// a check whose loss changes no answer is one that a test would not miss.
import { root } from "#tests/campaigns/supply/step.ts";
import type { Explained, Part, Score } from "../score.ts";
import type { Site } from "./instrument.ts";
import { instrumentServer } from "./load-hook.ts";
import { installSwitch } from "./mutant-switch.ts";

const placeOf = ({ file, line }: Site): string => `${file}:${line}`;
const textOf = ({ was, becomes }: Site): string => `${was} → ${becomes}`;
const isExplained = (site: Site, { file, line, was, becomes }: Explained): boolean =>
  site.file === file && site.lineText === line && site.was === was && site.becomes === becomes;

async function mutate(known: readonly Explained[], endsAt: number): Promise<Score | string> {
  installSwitch();
  const sites = instrumentServer(root);
  // Whatever loads a module of the server comes after the hook.
  const { testSites } = await import("./verdicts.ts");
  const isRead = (site: Site) => known.some((one) => isExplained(site, one));
  const run = await testSites(sites, { endsAt, isRead });
  const { verdicts, unreached, untested } = run;
  const left = verdicts.filter(({ noticed }) => noticed === "nothing");
  const read = left.filter(({ site }) => isRead(site));
  const byContent = verdicts.filter(({ noticed }) => noticed === "content").length;
  return {
    killed: verdicts.length - left.length,
    explained: read.length,
    survivors: left
      .filter((one) => !read.includes(one))
      .map(({ site, rows }) => `${placeOf(site)} ${textOf(site)}\nreached by ${rows.join(", ")}`),
    notes: [
      `${run.calls} calls; ${byContent} noticed by what is shown or written alone, with no other refusal`,
      ...(untested > 0 ? [`${untested} not judged: out of time (--minutes)`] : []),
      `${unreached.length} checks that no call came by:`,
      ...unreached.map((site) => `  ${placeOf(site)} ${site.was}`),
    ],
  };
}

export const accessPart: Part = { name: "access", mutate };
