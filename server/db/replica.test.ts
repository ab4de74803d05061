// A real standby of a real cluster: which reads it answers, and when the primary answers instead.
import { randomUUID } from "node:crypto";
import { appendFile, chmod, cp, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as Connection } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { ownCluster } from "#tests/cluster.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { freePort } from "#tests/free-port.ts";
import { launchServer } from "#tests/server-process.ts";
import { type OpenDb, openDb } from "./db.ts";
import { oneQuery } from "./one-query.ts";
import { binaries, readPidFile, spawnPostgres } from "./postgres-process.ts";

let stopCluster: () => Promise<void>;
let server: TestServer;
let holder: Client;
let wallet: string;
let folder: string;
let standby: OpenDb;
let reads = 0;

beforeAll(async () => {
  stopCluster = await ownCluster();
  server = await openTestServer();
  // As in production: an answered commit is in the log. The cluster of the tests is less strict.
  for (const how of ["alter role current_user set", "set"]) {
    await server.deps.pool.query(`${how} synchronous_commit = on`);
  }
  const url = await startStandby();
  standby = openDb(url, { max: 4 });
  standby.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const counted = (...args: unknown[]) => {
      // The query for its progress does not count as a read.
      if (!JSON.stringify(args[0]).includes("pg_last_wal_replay_lsn")) reads += 1;
      return query(...args);
    };
    Object.assign(client, { query: counted });
  });
  holder = await server.as("guardian");
  const { body } = await holder.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  wallet = body.items[0].objectID;
}, 180_000);
beforeEach(() => {
  server.deps.replica = standby.db;
  reads = 0;
});
afterAll(async () => {
  await standby.close();
  // By the number in its own pid file: no other server is meant.
  const { pid } = (await readPidFile(folder)) ?? {};
  if (pid) process.kill(pid, "SIGQUIT");
  await server.close();
  await stopCluster();
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

/** Copies the running cluster as a backup does, and starts the copy as its standby. */
async function startStandby(): Promise<string> {
  const primary = new URL(server.deps.config.databaseUrl ?? "");
  const [{ data_directory: from } = { data_directory: "" }] = await oneQuery<{
    data_directory: string;
  }>(primary.href, "show data_directory");
  folder = `${from}-standby`;
  const backup = new Connection({ connectionString: primary.href });
  await backup.connect();
  await backup.query("select pg_backup_start('standby', true)");
  await cp(from, folder, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|\.s\.PGSQL\./.test(path),
  });
  const { rows } = await backup.query("select labelfile from pg_backup_stop(false)");
  await backup.end();
  await chmod(folder, 0o700);
  await writeFile(`${folder}/backup_label`, rows[0].labelfile);
  await writeFile(`${folder}/standby.signal`, "");
  const { hostname: host, port, username: user, password } = primary;
  const said = `host=${host} port=${port} user=${user} password=${decodeURIComponent(password)}`;
  await appendFile(`${folder}/postgresql.auto.conf`, `\nprimary_conninfo = '${said}'\n`);
  const own = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "400",
    fsync: "off",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { postgres } = await binaries();
  spawnPostgres(postgres, ["-D", folder, "-p", String(own), ...flags], `${folder}.log`);
  const address = new URL(primary);
  address.port = String(own);
  address.searchParams.delete("host");
  for (let waited = 0; ; waited += 50) {
    const up = await oneQuery(address.href, "select 1").catch(() => null);
    if (up) return address.href;
    if (waited > 30_000) throw new Error("the standby did not start");
    await sleep(50);
  }
}

const send = () =>
  holder.post(
    "/api/transfers",
    { fromWallet: wallet, toCardnumber: cast.child.cardnumber, amountCents: 7, repeat: true },
    { "idempotency-key": randomUUID() },
  );
const newest = async () => (await holder.get(`/api/wallets/${wallet}/movements?limit=1`)).body;
/** Waits until the standby has everything. */
async function caughtUp(): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 50) {
    const { rows } = await server.deps.pool.query(
      "select pg_current_wal_insert_lsn()::text as lsn",
    );
    const sees = "select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached";
    const found = await standby.pool.query(sees, [rows[0].lsn]);
    if (found.rows[0].reached) return;
    await sleep(50);
  }
  throw new Error("the standby stays behind");
}
/** Reads until the standby was the one that answered: a busy machine may be late at first. */
async function readThere(path: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    await caughtUp();
    reads = 0;
    const { status, text } = await holder.get(path);
    expect(status, `${path}: ${text.slice(0, 200)}`).toBe(200);
    if (reads > 0) return;
  }
  throw new Error(`${path} was never read on the standby`);
}

const onStandby = (text: string) => standby.pool.query(text);

test("movements, history, statement and CSV are read on the replica; what decides is not", async () => {
  for (const what of ["movements", "history?days=30", "statement.pdf", "movements.csv"]) {
    await readThere(`/api/wallets/${wallet}/${what}`);
  }
  reads = 0;
  expect((await send()).status).toBe(201);
  await holder.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  await holder.post("/api/card/info", { cardnumber: cast.guardian.cardnumber });
  expect(reads).toBe(0);
});

test("twenty times: what was just sent is in the next read", async () => {
  for (let n = 0; n < 20; n++) {
    const { body } = await send();
    const page = await newest();
    expect(page.items[0].at).toBe(body.at);
  }
});

test("a replica that stands still is not believed, and is again once it has caught up", async () => {
  await onStandby("select pg_wal_replay_pause()");
  const { body } = await send();
  expect((await newest()).items[0].at).toBe(body.at);
  const missing = await onStandby(`select count(*)::int as n from transfer`);
  const there = await server.deps.pool.query(`select count(*)::int as n from transfer`);
  expect(missing.rows[0].n).toBeLessThan(there.rows[0].n);
  await onStandby("select pg_wal_replay_resume()");
  await readThere(`/api/wallets/${wallet}/movements?limit=1`);
  expect((await newest()).items[0].at).toBe(body.at);
});

test("a replica that is gone: the primary answers, and refusals stay refusals", async () => {
  const gone = openDb("postgres://nobody@127.0.0.1:9/nothing", { max: 2 });
  server.deps.replica = gone.db;
  const { status } = await holder.get(`/api/wallets/${wallet}/movements`);
  expect(status).toBe(200);
  const stranger = await server.as("stranger");
  expect((await stranger.get(`/api/wallets/${wallet}/movements`)).status).toBe(404);
  await gone.close();
});

test("a database that takes writes is refused as a replica when the server starts", async () => {
  const url = server.deps.config.databaseUrl ?? "";
  const env = { DATABASE_URL: url, DATABASE_READ_URL: url };
  const started = await launchServer({ dataDir: "no-such-folder", env });
  expect(await started.exit).toMatchObject({ code: 78 });
  expect(started.said()).toContain("DATABASE_READ_URL n'est pas une réplique");
});
