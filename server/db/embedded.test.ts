import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Embedded, startEmbedded } from "./embedded.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { oneQuery } from "./one-query.ts";
import { isPostmasterOf } from "./postgres-process.ts";

let dataDir: string;
const open = (log?: (message: string) => void): Promise<Embedded> =>
  startEmbedded({
    dataDir,
    settings: { fsync: "off" },
    initdbArguments: ["--no-sync"],
    ...(log ? { log } : {}),
  });
const folder = () => join(dataDir, "postgres");
const ask = (at: Embedded, sql: string) => oneQuery<Record<string, unknown>>(at.url, sql);

/** The state after a server was killed with -9: its database runs, and nobody watches it. */
async function abandon(): Promise<{ pid: number; url: string }> {
  const script = `const { startEmbedded } = await import("#server/db/embedded.ts");
    const { pid, url } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ pid, url })); process.kill(process.pid, "SIGKILL");`;
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  return JSON.parse(output) as { pid: number; url: string };
}

beforeAll(async () => {
  dataDir = await scratchFolder("embedded");
});
afterAll(() => removeData(dataDir));

test("two first starts at once make one database, and the last to leave stops it", async () => {
  const [one, two] = await Promise.all([open(), open()]);
  expect(one.pid).toBe(two.pid);
  expect(one.url).toBe(two.url);
  await ask(one, "create table stored (id int); insert into stored values (7)");
  expect(statSync(join(folder(), "ma-carte.password")).mode & 0o777).toBe(0o600);
  const { Client } = await import("pg");
  const busy = new Client({ connectionString: two.url });
  await busy.connect();
  await one.stop();
  expect((await busy.query("select id from stored")).rows).toEqual([{ id: 7 }]);
  await busy.end();
  await two.stop();
  expect(existsSync(join(folder(), "postmaster.pid"))).toBe(false);
});

test("the version that runs is the one that the data folder is checked against", async () => {
  const at = await open();
  const [row] = await ask(at, "select current_setting('server_version_num')::int / 10000 as major");
  const version = await readFile(join(folder(), "PG_VERSION"), "utf8");
  expect(String(row?.["major"])).toBe(version.trim());
  expect(await ask(at, "show data_checksums")).toEqual([{ data_checksums: "on" }]);
  await at.stop();
});

test("a database left running by a killed server is adopted, data and all, then stopped", async () => {
  const left = await abandon();
  const at = await open();
  expect(at).toMatchObject({ pid: left.pid, url: left.url, adopted: true });
  expect(await ask(at, "select id from stored")).toEqual([{ id: 7 }]);
  await at.stop();
  // pg_ctl waits for postmaster.pid to go, which is the last but one thing that the process does.
  await expect.poll(() => isPostmasterOf(folder(), left.pid)).toBe(false);
});

// proves: stored-once, trap-full-disk
test("a database killed while it serves comes back at the same address", async () => {
  const said: string[] = [];
  const at = await open((message) => said.push(message));
  await ask(at, "insert into stored values (8)");
  const before = at.pid;
  process.kill(before, "SIGKILL");
  const count = () => ask(at, "select count(*)::int as n from stored").catch(() => undefined);
  await expect.poll(count).toEqual([{ n: 2 }]);
  expect(at.pid).not.toBe(before);
  expect(said).toContain("La base embarquée répond de nouveau.");
  await at.stop();
});

test("what a dead database leaves behind and will not go does not keep it from coming back", async () => {
  const at = await open();
  const { Client } = await import("pg");
  const busy = new Client({ connectionString: at.url });
  busy.on("error", () => {});
  await busy.connect();
  const result = await busy.query<{ pid: number }>("select pg_backend_pid() as pid");
  const stuck = result.rows[0]?.pid as number;
  process.kill(stuck, "SIGSTOP");
  process.kill(at.pid, "SIGKILL");
  const count = () => ask(at, "select count(*)::int as n from stored").catch(() => undefined);
  await expect.poll(count, { timeout: 20_000 }).toEqual([{ n: 2 }]);
  expect(await isPostmasterOf(folder(), stuck)).toBe(false);
  await at.stop();
});

test("clients come in by a socket in the data folder; none is left of a database that was killed", async () => {
  const at = await open();
  const port = new URL(at.url).port;
  const how = "select inet_client_addr() is null as local";
  expect(await ask(at, how)).toEqual([{ local: true }]);
  expect(await oneQuery(at.runtimeUrl, how)).toEqual([{ local: true }]);
  const left = (await readdir(folder())).filter((name) => name.startsWith(".s.PGSQL."));
  expect(left).toEqual([`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]);
  await writeFile(join(folder(), ".s.PGSQL.20001.lock"), `${process.pid}\n`);
  const killed = at.pid;
  process.kill(killed, "SIGKILL");
  await expect.poll(() => at.pid).not.toBe(killed);
  await expect.poll(async () => await ask(at, how).catch(() => null)).toEqual([{ local: true }]);
  const now = (await readdir(folder())).filter((name) => name.startsWith(".s.PGSQL."));
  expect(now).toEqual(left);
  await at.stop();
});

test("a pid file whose number is another program's now is not taken for a database", async () => {
  const pidFile = join(folder(), "postmaster.pid");
  const lines = [process.pid, folder(), 1, 20_001, "", "127.0.0.1", "0 0", "ready"];
  await writeFile(pidFile, `${lines.join("\n")}\n`);
  const at = await open();
  expect(at.adopted).toBe(false);
  expect(await ask(at, "select count(*)::int as n from stored")).toEqual([{ n: 2 }]);
  await at.stop();
});

test("a folder of another version, or of something else, is refused and left as it was", async () => {
  const version = join(folder(), "PG_VERSION");
  await writeFile(version, "17\n");
  await expect(open()).rejects.toMatchObject({
    name: "StartProblem",
    exitCode: 74,
    message: expect.stringContaining("vient de PostgreSQL 17"),
  });
  expect(await readFile(version, "utf8")).toBe("17\n");
  await writeFile(version, "18\n");
  const foreign = join(dataDir, "foreign");
  await mkdir(join(foreign, "postgres"), { recursive: true });
  await writeFile(join(foreign, "postgres", "letter.txt"), "mine");
  await expect(startEmbedded({ dataDir: foreign })).rejects.toMatchObject({
    message: expect.stringContaining("n'est pas une base PostgreSQL"),
  });
  expect(await readFile(join(foreign, "postgres", "letter.txt"), "utf8")).toBe("mine");
});

test("a setting that PostgreSQL refuses is told in one sentence with its reason", async () => {
  await expect(startEmbedded({ dataDir, settings: { fsync: "maybe" } })).rejects.toMatchObject({
    name: "StartProblem",
    message: expect.stringMatching(/^La base embarquée ne démarre pas : .*fsync.*journal/),
  });
});
