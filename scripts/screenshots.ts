// `npm run screenshots` draws every screen and its states at 360 and 1280, light and dark, into screenshots/.
// `-- --only virement` draws those whose address or state contains the word.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ownCluster } from "#tests/cluster.ts";
import { openFurnishedPortal } from "#tests/campaigns/audit/furnished-portal.ts";
import { table } from "#web/paths.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { walk } from "#tests/campaigns/audit/walk.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const folder = join(import.meta.dirname, "..", "screenshots");

const stopCluster = await ownCluster();
try {
  const furnished = await openFurnishedPortal();
  try {
    const visits = await visitsOf(table, furnished, values.only);
    if (values.only === "") await forgetPictures();
    const views = await walk(furnished, visits, { widths: [1280, 360], shots: folder });
    for (const { visit, width, theme, findings } of views) {
      for (const { check, text } of findings) {
        console.log(`${visit.route} (${visit.state}) ${width} ${theme} ${check}: ${text}`);
      }
    }
    console.log(`${views.length} pictures of ${visits.length} states in ${folder}`);
  } finally {
    await furnished.portal.close();
  }
} finally {
  await stopCluster();
}

async function forgetPictures(): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.endsWith(".png")) await rm(join(folder, name));
}
