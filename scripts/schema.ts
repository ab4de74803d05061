// `npm run schema` writes server/db/schema.sql, the shape that all migrations together give, read and
// reviewed as one file. `--check` only compares, and fails when the file is stale.
import { existsSync } from "node:fs";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { dumpSchema } from "./schema-dump.ts";

const root = join(import.meta.dirname, "..");
const file = join(root, "server", "db", "schema.sql");

await mkdir(join(root, ".tmp"), { recursive: true });
const dataDir = await mkdtemp(join(root, ".tmp", "schema-"));
const embedded = await startEmbedded({
  dataDir,
  settings: { fsync: "off" },
  initdbArguments: ["--no-sync"],
});
try {
  await migrate(embedded.url);
  const wanted = await dumpSchema(embedded.url);
  const present = existsSync(file) ? await readFile(file, "utf8") : "";
  if (process.argv.includes("--check")) {
    if (present !== wanted) {
      console.error("server/db/schema.sql is stale: run `npm run schema` and review the change.");
      process.exitCode = 1;
    }
  } else if (present !== wanted) {
    await writeFile(file, wanted);
    console.log("server/db/schema.sql written.");
  }
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
