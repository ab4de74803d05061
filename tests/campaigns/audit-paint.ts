// `npm run audit:paint`: when the dashboard is painted on a slow phone (tests/campaigns/audit/paint.ts), in
// medians of `-- --rounds 9`. `-- --beside <folder>` opens another build of the web part in turns with this
// one: what else the machine does changes both, and only their ratio means anything.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ownCluster } from "#tests/cluster.ts";
import { openFurnishedPortal } from "#tests/campaigns/audit/furnished-portal.ts";
import { medianOf, type Paint, visitor, type Visit } from "#tests/campaigns/audit/paint.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "9" }, beside: { type: "string" } },
});
const builds = [undefined, ...(values.beside ? [values.beside] : [])];
const columns = ["first", "largest", "requested", "answered", "font"] as const;

const stopCluster = await ownCluster();
try {
  console.log(`load before: ${loadavg()[0]?.toFixed(1)}`);
  const portals = await Promise.all(builds.map((web) => openFurnishedPortal(web)));
  try {
    for (const visit of ["warm", "cold"] as const) {
      const visitors = await Promise.all(portals.map(({ portal }) => visitor(portal, visit)));
      const paints: Paint[][] = visitors.map(() => []);
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const [index, open] of visitors.entries()) paints[index]?.push(await open());
      }
      print(visit, paints);
    }
  } finally {
    for (const { portal } of portals) await portal.close();
  }
  console.log(`load after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await stopCluster();
}

function print(visit: Visit, paints: readonly (readonly Paint[])[]): void {
  console.log(["", ...columns].map((name) => name.padStart(16)).join("") + "   moved");
  for (const [index, of] of paints.entries()) {
    const cells = columns.map((column) => {
      const { median, spread } = medianOf(of.map((paint) => paint[column]));
      return `${median} (${spread})`.padStart(16);
    });
    const moved = Math.max(...of.map((paint) => paint.moved)).toFixed(3);
    console.log(
      `${visit} ${builds[index] ? "beside" : "this"}`.padEnd(16) + cells.join("") + `   ${moved}`,
    );
  }
}
