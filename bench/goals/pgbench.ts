// Reference: pgbench, PostgreSQL's own client, which sends statements as fast as the database answers. It
// comes with PostgreSQL's server packages (Debian: postgresql-contrib); without it, only the driver's figures
// are shown.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fixture } from "./fixture.ts";

const debian = "/usr/lib/postgresql";

/** Path of the command, null where the machine has none. */
export function findPgbench(): string | null {
  const installed = versions().map((version) => join(debian, version, "bin", "pgbench"));
  const works = (command: string) => spawnSync(command, ["--version"]).status === 0;
  return ["pgbench", ...installed].find(works) ?? null;
}

function versions(): string[] {
  try {
    return readdirSync(debian).toSorted((a, b) => Number(b) - Number(a));
  } catch {
    return [];
  }
}

interface RunOptions {
  clients: number;
  seconds: number;
  url: string;
}

/** The posting function, one transfer per call, between any two accounts or into one; calls per second. */
export const pgbenchPosts = (
  command: string,
  fixture: Fixture,
  { hot, ...options }: RunOptions & { hot: boolean },
): Promise<number> => {
  const others = fixture.accounts.length - 1;
  return run(command, options, [
    `\\set i random(1, ${others + 1})`,
    `\\set j 1 + (:i - 1 + random(1, ${others})) % ${others + 1}`,
    `select refused from ledger_post(true, array[1], array['pgbench:' || gen_random_uuid()],
      array[${listed(fixture)}[:i]], array[${hot ? `${fixture.hotAccount}::bigint` : `${listed(fixture)}[:j]`}],
      array[1::bigint], array['transfer'], array[null::jsonb], array[null::bigint],
      array[null::timestamptz]);`,
  ]);
};

/** Reads a balance by its key; calls per second. */
export const pgbenchReads = (
  command: string,
  fixture: Fixture,
  options: RunOptions,
): Promise<number> =>
  run(command, options, [
    `\\set i random(1, ${fixture.accounts.length})`,
    `select balance, held from ledger_account where id = ${listed(fixture)}[:i];`,
  ]);

const listed = ({ accounts }: Fixture) => `(array[${accounts.join(",")}]::bigint[])`;

async function run(
  command: string,
  { clients, seconds, url }: RunOptions,
  statements: readonly string[],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "ma-carte-pgbench-"));
  const script = join(folder, "script.sql");
  await writeFile(script, statements.map((one) => one.replaceAll(/\s*\n\s*/g, " ")).join("\n"));
  const how = ["--no-vacuum", "--protocol=prepared", "--jobs=2"];
  const child = spawn(
    command,
    [...how, `--client=${clients}`, `--time=${seconds}`, `--file=${script}`, url],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString()));
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  await rm(folder, { recursive: true, force: true });
  const rate = Number(/^tps = ([\d.]+)/m.exec(said)?.[1]);
  if (!(rate > 0)) throw new Error(`pgbench measured nothing:\n${said}`);
  return rate;
}
