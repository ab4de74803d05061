// A data folder for each campaign, migrated and filled with the cast. The first one is made and stopped,
// the campaigns get copies: making one takes longer than most of them.
import { constants } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type Embedded, startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { runner } from "#server/db/postgres-process.ts";
import { embeddedRole } from "#server/db/runtime-role.ts";
import { castInto } from "#tests/cast.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const dataDir = await scratchFolder("template");
  // It ends by a clean stop: there is no crash that these would keep the copies from. A short journal is
  // less to copy.
  const settings = { fsync: "off", full_page_writes: "off", min_wal_size: "32MB" };
  const database = await startEmbedded({ dataDir, settings, initdbArguments: ["--no-sync"] });
  try {
    await migrate(database.url, { runtimeRole: embeddedRole });
    await castInto(database.url);
  } finally {
    await database.stop();
  }
  return dataDir;
}

/** Makes `dataDir`, where a server finds the database that one before it stopped. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const from = await (template ??= makeTemplate());
  await cp(from, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  runner().own(join(dataDir, "postgres"));
}

/** Starts a database of its own in a new `dataDir`, with the settings of a server's. */
export async function startDatabase(dataDir: string): Promise<Embedded> {
  await makeDataFolder(dataDir);
  return await startEmbedded({ dataDir });
}

/** Removes the folder that the others were copied from. */
export async function removeTemplate(): Promise<void> {
  const made = await template?.catch(() => undefined);
  template = undefined;
  if (made) await removeData(made);
}
