// `npm run schema` writes the result of all migrations: server/db/schema.sql, read and reviewed as one file,
// and server/db/tables.ts, the types of its tables; new migrations are added to server/db/migrations.sha256.
// `--check` only compares, and fails when one of them is stale. Both refuse a migration that was changed after it
// had landed, then check every statement of the server against that database.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { removeData, scratchFolder, sweepOnSignal } from "#tests/scratch.ts";
import { filesUnder, hashOf } from "#tests/source-hash.ts";
import { changedMigrations, listOf } from "./landed-migrations.ts";
import { dumpSchema } from "./schema-dump.ts";
import { wrongStatements } from "./statements/compare.ts";
import { dumpTables } from "./tables-dump.ts";

const root = join(import.meta.dirname, "..");
const hashes = "server/db/migrations.sha256";
const written = [
  { name: hashes, dump: async () => listOf(migrations) },
  { name: "server/db/schema.sql", dump: dumpSchema },
  { name: "server/db/tables.ts", dump: dumpTables },
];

// The check is skipped when none of these changed since it last passed.
const read = ["server", "contract", "scripts", "tsconfig.base.json", "package-lock.json"];
const passed = join(root, "node_modules", ".cache", "schema-check");
const checks = process.argv.includes("--check");
const hash = await hashOf(await filesUnder(read));
if (checks && (await readFile(passed, "utf8").catch(() => "")) === hash) {
  console.log("Nothing changed since the last check that passed.");
  process.exit();
}

const migrations = await readMigrations();
const landed = await readFile(join(root, hashes), "utf8").catch(() => "");
const changed = changedMigrations(landed, migrations);
if (changed.length > 0) {
  for (const fault of changed) console.error(fault);
  process.exit(1);
}

sweepOnSignal();
const dataDir = await scratchFolder("schema");
const embedded = await startEmbedded({
  dataDir,
  settings: { fsync: "off" },
  initdbArguments: ["--no-sync"],
});
try {
  await migrate(embedded.url);
  for (const { name, dump } of written) {
    const file = join(root, name);
    const expected = await dump(embedded.url);
    const present = existsSync(file) ? await readFile(file, "utf8") : "";
    if (present === expected) continue;
    if (checks) {
      console.error(`${name} is stale: run \`npm run schema\` and review the change.`);
      process.exitCode = 1;
    } else {
      await writeFile(file, expected);
      console.log(`${name} written.`);
    }
  }
  const { wrong, count } = await wrongStatements(embedded.url);
  console.log(`${count} statements held to the schema, ${wrong.length} faults.`);
  for (const fault of wrong) console.error(fault);
  if (wrong.length > 0) process.exitCode = 1;
  if (checks && process.exitCode === undefined) {
    await mkdir(dirname(passed), { recursive: true });
    await writeFile(passed, hash);
  }
} finally {
  await embedded.stop();
  await removeData(dataDir);
}
