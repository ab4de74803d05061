// The server as an operator meets it: real processes, real signals, one sentence when it cannot start.
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startEmbedded } from "#server/db/embedded.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { mountSmall } from "#tests/campaigns/faults/disk.ts";
import { emptyDatabase } from "#tests/cluster.ts";
import { freePort } from "#tests/free-port.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import {
  isPostmasterUp,
  killServers,
  launchServer,
  postmasterOf,
  ready,
  type Settings,
  status,
  stop,
  untilStatus,
} from "#tests/server-process.ts";

let dataDir: string;

const launch = (settings: Partial<Settings> = {}) => launchServer({ dataDir, ...settings });
const postmaster = () => postmasterOf(dataDir);
const isDatabaseUp = () => isPostmasterUp(dataDir);

/** The answer of a call that needs the database: a login, refused for the person, not the service. */
async function databaseState(address: string): Promise<string> {
  const { status: answered } = await fetch(`${address}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: 1_999_999_990, password: "inconnu" }),
  });
  if (answered === 401 || answered === 429) return "up";
  return `down, ${answered}`;
}

beforeAll(async () => {
  dataDir = await scratchFolder("starter");
});
afterEach(killServers);
afterAll(async () => {
  await removeData(dataDir);
});

describe("starting and stopping", { timeout: 300_000 }, () => {
  test("a first start fills the demo scheme and says the address and the demo cards", async () => {
    const before = performance.now();
    const started = await ready(await launch());
    console.log(`first start: ${Math.round(performance.now() - before)} ms`);
    expect(await status(started.address)).toBe(200);
    const line = started
      .said()
      .split("\n")
      .find((text) => text.includes("répond sur"));
    expect(line).toContain(started.address);
    expect(line).toMatch(/cartes de démonstration .*mot de passe/);
    const messagesUrl = /messages gardés sur (\S+)$/.exec(line ?? "")?.[1];
    expect((await fetch(messagesUrl ?? "")).status).toBe(200);
    expect(await stop(started)).toBe(0);
    expect(await isDatabaseUp()).toBe(false);
    expect(await status(started.address)).toBe(0);
  });

  test("npm start answers again without filling the demo twice; SIGTERM to npm leaves nothing behind", async () => {
    const before = performance.now();
    const started = await launch({ npm: true });
    await untilStatus(started.address, 200);
    console.log(`second start, npm included: ${Math.round(performance.now() - before)} ms`);
    expect(started.said()).not.toContain("démonstration…");
    await ready(started);
    started.child.kill("SIGTERM");
    await started.exit;
    // npm may leave before the server that it started.
    await expect.poll(isDatabaseUp).toBe(false);
    expect(await status(started.address)).toBe(0);
  });

  // proves: graceful-stop
  test("two Ctrl-C at once, as terminal and npm send them, drain; a later one forces", async () => {
    const started = await ready(await launch());
    started.child.kill("SIGINT");
    started.child.kill("SIGINT");
    expect((await started.exit).code).toBe(0);
    expect(await isDatabaseUp()).toBe(false);
  });

  // proves: graceful-stop, trap-keep-alive
  test("SIGTERM under load: whatever was accepted is answered, and it ends with 0", async () => {
    const started = await ready(await launch());
    const outcomes = { stopped: false, answered: 0, unavailable: 0, refused: 0 };
    const broken: string[] = [];
    const served = new Set<number>();
    const clients = Array.from({ length: 20 }, async (_, client) => {
      while (!outcomes.stopped) {
        try {
          const answer = await fetch(`${started.address}/api/health`);
          await answer.text();
          if (answer.status === 200) outcomes.answered += 1;
          else outcomes.unavailable += 1;
          served.add(client);
        } catch (error) {
          const code = ((error as Error).cause as { code?: string } | undefined)?.code;
          if (code === "ECONNREFUSED" || code === undefined) outcomes.refused += 1;
          else broken.push(code);
          await sleep(20);
        }
      }
    });
    // Each client has its connection by then: one that is only being made may still be refused or reset.
    await expect.poll(() => served.size).toBe(clients.length);
    await expect.poll(() => outcomes.answered).toBeGreaterThan(200);
    const before = performance.now();
    const code = await stop(started);
    const tookMs = performance.now() - before;
    outcomes.stopped = true;
    await Promise.all(clients);
    console.log(`drained in ${Math.round(tookMs)} ms: ${JSON.stringify(outcomes)}`);
    expect(code).toBe(0);
    expect(broken).toEqual([]);
  });
});

describe("whatever is killed", { timeout: 300_000 }, () => {
  // proves: stored-once
  test("kill -9 of the server: the next start adopts its database and answers", async () => {
    const first = await ready(await launch());
    const pid = await postmaster();
    await stop(first, "SIGKILL");
    expect(await isDatabaseUp()).toBe(true);
    const before = performance.now();
    const second = await launch();
    await untilStatus(second.address, 200);
    console.log(`back after kill -9 of the server: ${Math.round(performance.now() - before)} ms`);
    expect(await postmaster()).toBe(pid);
    expect(await stop(second)).toBe(0);
    expect(await isDatabaseUp()).toBe(false);
  });

  test("kill -9 of the database: 503 meanwhile, then 200 again from the same server", async () => {
    const started = await ready(await launch());
    const before = await postmaster();
    // Several ask before, while and after it is down: however quickly it is back, one was refused.
    const seen = new Set<string>();
    const asking = new AbortController();
    const callers = Array.from({ length: 4 }, async () => {
      while (!asking.signal.aborted) seen.add(await databaseState(started.address));
    });
    await expect.poll(() => seen.has("up")).toBe(true);
    process.kill(before, "SIGKILL");
    const killedAt = performance.now();
    await expect.poll(() => seen.has("down, 503")).toBe(true);
    await expect.poll(() => databaseState(started.address)).toBe("up");
    const tookMs = performance.now() - killedAt;
    console.log(`back after kill -9 of the database: ${Math.round(tookMs)} ms`);
    asking.abort();
    await Promise.all(callers);
    expect(seen).toEqual(new Set(["down, 503", "up"]));
    expect(await postmaster()).not.toBe(before);
    expect(await stop(started)).toBe(0);
  });

  // proves: stored-once
  test("both killed at once: the next start recovers", async () => {
    const first = await ready(await launch());
    const pid = await postmaster();
    first.child.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    await first.exit;
    const second = await launch();
    await untilStatus(second.address, 200);
    expect(await stop(second)).toBe(0);
  });
});

describe("what cannot start says one sentence, exits, and damages nothing", () => {
  async function refusal(
    settings: Partial<Settings>,
  ): Promise<{ sentence: string; code: number | null }> {
    const started = await launch(settings);
    const { code } = await started.exit;
    return { sentence: started.said(), code };
  }
  const oneSentence = /^[^\n]+\.\n$/;

  test("a port that is taken", async () => {
    const holder = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => holder.listen(port, "localhost", resolve));
    const { sentence, code } = await refusal({ port });
    holder.close();
    expect(sentence).toMatch(oneSentence);
    expect(sentence).toContain(`Le port ${port} est déjà pris`);
    expect(code).toBe(75);
    expect(await isDatabaseUp()).toBe(false);
  });

  test("a bad setting", async () => {
    const { sentence, code } = await refusal({ env: { PORT: "trois mille" } });
    expect(sentence).toMatch(oneSentence);
    expect(sentence).toContain("Le réglage PORT («\u00a0trois mille\u00a0»)");
    expect(code).toBe(78);
  });

  test.runIf(existsSync("/proc/self"))(
    "a data folder that cannot be made, which a recursive mkdir would try for ever",
    async () => {
      const { sentence, code } = await refusal({ env: { DATA_DIR: "/proc/ma-carte" } });
      expect(sentence).toMatch(oneSentence);
      expect(sentence).toContain("Le dossier de données /proc/ma-carte est inutilisable");
      expect(code).toBe(74);
    },
  );

  test("a disk too small for a new database", async (context) => {
    const folder = await scratchFolder("starter");
    const data = join(folder, "small", "data");
    const unmounted = await mountSmall(folder, 8);
    if (unmounted) context.skip(unmounted);
    try {
      const { sentence, code } = await refusal({ env: { DATA_DIR: data } });
      expect(sentence).toContain("Il n'y a plus de place sur le disque");
      expect(sentence).not.toContain("Command failed");
      expect(code).toBe(74);
      expect(await readdir(data)).toEqual([]);
    } finally {
      await removeData(folder);
    }
  });

  // proves: failed-start
  test("a data folder of another version", async () => {
    const copy = await scratchFolder("starter");
    await cp(join(dataDir, "postgres"), join(copy, "postgres"), { recursive: true });
    await writeFile(join(copy, "postgres", "PG_VERSION"), "16\n");
    const { sentence, code } = await refusal({ env: { DATA_DIR: copy } });
    const version = await readFile(join(copy, "postgres", "PG_VERSION"), "utf8");
    await removeData(copy);
    expect(sentence).toMatch(oneSentence);
    expect(sentence).toContain("PostgreSQL 16");
    expect(code).toBe(74);
    expect(version).toBe("16\n");
  });

  // proves: landed-migrations
  test("a data folder of the trial versions, which stays as it is", async () => {
    const trial = await scratchFolder("starter");
    const fill = await startEmbedded({ dataDir: trial });
    await oneQuery(
      fill.url,
      `create table person (id int); insert into person values (7);
       create table migration (number int primary key, name text, sha256 text, at timestamptz);
       insert into migration values (1, '0001-ledger.sql', 'a'), (2, '0002-identity.sql', 'b')`,
    );
    await fill.stop();
    const { sentence, code } = await refusal({ env: { DATA_DIR: trial } });
    const again = await startEmbedded({ dataDir: trial });
    const tables = await oneQuery(
      again.url,
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname !~ '^(pg_|information)' order by 1`,
    );
    const people = await oneQuery(again.url, "select id from person");
    await again.stop();
    await removeData(trial);
    expect(sentence).toMatch(/^[^\n]+\.\n$/);
    expect(sentence).toContain("version d’essai de Ma carte (migration 0001-ledger.sql)");
    expect(sentence).toContain("supprimez l'ancien dossier");
    expect(code).toBe(74);
    expect(tables).toEqual([{ name: "public.migration" }, { name: "public.person" }]);
    expect(people).toEqual([{ id: 7 }]);
  });

  // proves: failed-start
  test("a database out of reach, its password not repeated", async () => {
    const port = await freePort();
    const { sentence, code } = await refusal({
      env: { DATABASE_URL: `postgres://someone:tres-secret@127.0.0.1:${port}/nowhere` },
    });
    expect(sentence).toMatch(oneSentence);
    expect(sentence).toContain(`127.0.0.1:${port}/nowhere`);
    expect(sentence).not.toContain("tres-secret");
    expect(code).toBe(69);
  });
});

test("two servers on one empty external database: both start, neither starts an embedded one", async () => {
  const database = await emptyDatabase();
  const own = await scratchFolder("starter");
  const env = {
    DATABASE_URL: database.runtimeUrl,
    DATABASE_OWNER_URL: database.url,
    DATA_DIR: own,
    DEMO: "0",
  };
  const servers = await Promise.all([launch({ env }), launch({ env })]);
  await Promise.all(servers.map(ready));
  for (const server of servers) {
    expect(await status(server.address)).toBe(200);
    expect(server.said()).not.toContain("démonstration");
  }
  expect(existsSync(join(own, "postgres"))).toBe(false);
  expect(await Promise.all(servers.map((server) => stop(server)))).toEqual([0, 0]);
  await database.drop();
  await removeData(own);
});
