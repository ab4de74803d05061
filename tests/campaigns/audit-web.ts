// `npm run audit:web`: every route of the route table, as every kind of caller that may see it, in
// light and dark, at 320, 360 and 1280, with its states: axe, console, security policy, sideways
// scroll, level-one heading, focus and its order by Tab, layout shift; then its text at 130 and 200 %, at each
// width. Lighthouse, the dashboard's paint and bytes are printed. The report with its pictures is
// screenshots/audit/index.html. `-- --only virement` visits what holds the word, `--no-lighthouse` leaves scores
// and paint out. Fails for axe, console, security policy, sideways scroll, text sizes and headings.
import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ownCluster } from "#tests/cluster.ts";
import { weighed } from "#web/build/budget.ts";
import { lighthouseFigures } from "#tests/campaigns/audit/lighthouse.ts";
import {
  type Figure,
  printFindings,
  printTable,
  writeReport,
} from "#tests/campaigns/audit/report.ts";
import { paintFigures } from "#tests/campaigns/audit/paint.ts";
import { openFurnishedPortal } from "#tests/campaigns/audit/furnished-portal.ts";
import { table } from "#web/paths.ts";
import { screens } from "#web/routes.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { walk } from "#tests/campaigns/audit/walk.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    lighthouse: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const folder = join(import.meta.dirname, "..", "..", "screenshots", "audit");

const stopCluster = await ownCluster();
try {
  const furnished = await openFurnishedPortal();
  try {
    if (values.only === "") await rm(folder, { recursive: true, force: true });
    const visits = await visitsOf(table, furnished, values.only);
    let seen = 0;
    const total = visits.length * 6;
    const views = await walk(furnished, visits, {
      widths: [1280, 360, 320],
      axe: true,
      keyboard: true,
      textSizes: { sizes: [1, 1.3, 2], widths: [1280, 360, 320] },
      shots: folder,
      onView: () => {
        seen += 1;
        if (seen % 30 === 0) console.log(`${seen} of ${total} views`);
      },
    });
    const figures: Figure[] = bytesOf(furnished.portal.web);
    if (values.lighthouse) {
      const load = (loadavg()[0] ?? 0).toFixed(1);
      figures.push(...(await paintFigures(furnished)), ...(await lighthouseFigures(furnished)));
      figures.push({
        what: "load of the machine",
        value: load,
        goal: "1 or less, to believe scores",
      });
    }
    printFindings(views);
    const failing = printTable(views, figures);
    console.log(`report: ${await writeReport(folder, views, figures)}`);
    if (failing > 0) process.exitCode = 1;
  } finally {
    await furnished.portal.close();
  }
} finally {
  await stopCluster();
}

/** The cost of each route beyond the shell against its budget: the lines of the build's own table. */
function bytesOf(web: string): Figure[] {
  const pathsOf = (name: string) =>
    Object.entries(screens)
      .filter(([, screen]) => String(screen).includes(`/${name}.tsx"`))
      .map(([path]) => path);
  return weighed(web).map(({ what, bytes, limitKb }) => ({
    what: pathsOf(what.replace("shell + dashboard", "dashboard-page")).join(" ") || what,
    value: `${(bytes / 1024).toFixed(1)} KB`,
    goal: `${limitKb} KB at most${what.startsWith("shell") ? ", the shell with it" : ""}`,
  }));
}
