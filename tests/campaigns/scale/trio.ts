// Three machines together: started in the order of the guide, asked who leads, ended.
import { execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { oneQuery } from "#server/db/one-query.ts";
import { freePort } from "#tests/free-port.ts";
import { Machine } from "./machine.ts";
import type { Programs } from "./programs.ts";
import { filled } from "./templates.ts";

/** What Patroni says of a machine: leader, sync_standby or replica, and whether it follows. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

const ports = "WEB PLAIN PORTAL POSTGRES LEADER READER POOLER PATRONI ETCD ETCD_PEER STATS".split(
  " ",
);
const secrets = "SUPERUSER REPLICATION REWIND PATRONI OWNER APP".split(" ");

/** What the portals of the drill have beyond portal.env: the demo scheme's wallets, room for its load. */
const portalEnv = { DEMO: "1", WALLET_CAP_CENTS: "100000000", CODE_FROM_CENTS: "100000000" };

export class Trio {
  readonly machines: readonly Machine[];

  private constructor(machines: readonly Machine[]) {
    this.machines = machines;
  }

  /** Files for three machines under `folder`, at three addresses of the loopback network. */
  static async make(folder: string, programs: Programs): Promise<Trio> {
    const net = `127.${randomInt(64, 224)}.${randomInt(1, 255)}`;
    const values: Record<string, string> = {
      NETWORK: "127.0.0.0/8",
      WEB_TLS: "",
      SHARED_BUFFERS: "64MB",
      WATCHDOG: "off",
      POSTGRES_BIN: join(programs.postgres, ".."),
      // None: the path to one here may be longer than a socket's may be.
      POSTGRES_SOCKETS: "",
      HAPROXY_USER: userInfo().username,
      HAPROXY_GROUP: execFileSync("id", ["-gn"], { encoding: "utf8" }).trim(),
    };
    for (const name of ports) values[`${name}_PORT`] = String(await freePort());
    for (const name of secrets) values[`${name}_PASSWORD`] = randomBytes(24).toString("hex");
    for (const n of [1, 2, 3]) values[`ADDRESS${n}`] = `${net}.${n}`;
    values["PUBLIC_URL"] = `http://${net}.1:${values["WEB_PORT"]}`;
    const machines = [1, 2, 3].map((n) => {
      const own = { NAME: `carte${n}`, ADDRESS: `${net}.${n}`, WEB_ADDRESS: `${net}.${n}` };
      return Machine.make(join(folder, `carte${n}`), { ...values, ...own }, programs);
    });
    return new Trio(await Promise.all(machines));
  }

  get first(): Machine {
    return this.machines[0] as Machine;
  }

  named(name: string | undefined): Machine {
    const found = this.machines.find((one) => one.name === name);
    if (!found) throw new Error(`no machine is called ${name}`);
    return found;
  }

  others(than: Machine): Machine[] {
    return this.machines.filter((one) => one !== than);
  }

  /** In the order of the guide: etcd, Patroni, HAProxy, the database, the portals. */
  async start(progress: (text: string) => void): Promise<void> {
    progress("etcd, Patroni and HAProxy on three machines");
    for (const part of ["etcd", "patroni", "haproxy"] as const)
      for (const machine of this.machines) await machine.start(part);
    await this.whole();
    progress("the database, then a portal on each");
    const statements = (await filled("database.sql", this.first.values)).split(";");
    for (const one of statements.filter((text) => /^\s*(--.*\n\s*)*create/.test(text)))
      await oneQuery((await this.leader()).databaseUrl("POSTGRES_PORT", "postgres"), one);
    await until("HAProxy knows the leader", () => this.#throughProxy());
    for (const machine of this.machines) await machine.startPortal(portalEnv);
    await this.portalsUp(3);
  }

  /** Starts the portal of a machine again, on PgBouncer if wanted. */
  async restartPortal(machine: Machine, pooled = false): Promise<void> {
    await machine.startPortal(portalEnv, pooled);
    await this.portalsUp(3);
  }

  async members(): Promise<Member[]> {
    for (const machine of this.machines) {
      const answer = await fetch(`${machine.url("PATRONI_PORT")}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  /** The machine whose PostgreSQL leads, other than `notThis` if given; waits until there is one. */
  async leader(notThis?: Machine): Promise<Machine> {
    let found: Machine | undefined;
    await until("a leader", async () => {
      const name = (await this.members()).find(({ role }) => role === "leader")?.name;
      found = name === undefined || name === notThis?.name ? undefined : this.named(name);
      return found !== undefined;
    });
    return found as Machine;
  }

  async standby(role: "sync_standby" | "replica"): Promise<Machine> {
    return this.named((await this.members()).find((one) => one.role === role)?.name);
  }

  /** Waits until one leads, one follows in step and one follows, all on the same history. */
  async whole(): Promise<void> {
    await until("a leader, a synchronous standby and an asynchronous one", async () => {
      const members = await this.members();
      const roles = members.map(({ role }) => role).sort();
      const follow = members.every(({ state }) => state === "running" || state === "streaming");
      return (
        roles.join() === "leader,replica,sync_standby" &&
        follow &&
        new Set(members.map(({ timeline }) => timeline)).size === 1
      );
    });
  }

  /** The machine whose etcd leads etcd. */
  async etcdLeader(): Promise<Machine> {
    for (const machine of this.machines) {
      const answer = await fetch(`${machine.url("ETCD_PORT")}/v3/maintenance/status`, {
        method: "POST",
        body: "{}",
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (!answer?.ok) continue;
      const status = (await answer.json()) as { header: { member_id: string }; leader: string };
      if (status.leader === status.header.member_id) return machine;
    }
    throw new Error("no etcd leads");
  }

  /** Requests that HAProxy of the first machine has given to each portal, and whether it is up. */
  async portals(): Promise<{ name: string; up: boolean; served: number }[]> {
    const text = await (await fetch(`${this.first.url("STATS_PORT")}/;csv`)).text();
    const [head = "", ...lines] = text.trim().split("\n");
    const names = head.replace("# ", "").split(",");
    const rows = lines.map((line) => {
      const cells = line.split(",");
      return (name: string) => cells[names.indexOf(name)] ?? "";
    });
    return rows
      .filter((cell) => cell("pxname") === "portals" && cell("svname") !== "BACKEND")
      .map((cell) => ({
        name: cell("svname"),
        up: cell("status").startsWith("UP"),
        served: Number(cell("stot")),
      }));
  }

  async portalsUp(many: number): Promise<void> {
    await until(`${many} portals up`, async () => {
      return (await this.portals()).filter(({ up }) => up).length === many;
    });
  }

  async lastWords(): Promise<string> {
    return (await Promise.all(this.machines.map((one) => one.lastWords()))).join("\n");
  }

  /** Resumes what is stopped, so that it receives the signal that ends it. */
  thawAll(): void {
    for (const machine of this.machines) machine.thawAll();
  }

  async end(): Promise<void> {
    await Promise.all(this.machines.map((one) => one.end()));
  }

  async #throughProxy(): Promise<boolean> {
    const urls = this.machines.map((one) => one.databaseUrl("LEADER_PORT"));
    const queries = urls.map((url) => oneQuery(url, "select 1", [], 2_000).catch(() => []));
    return (await Promise.all(queries)).every(({ length }) => length === 1);
  }
}

/** Waits for a state that machines come to by themselves. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  withinMs = 180_000,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs) throw new Error(`it never came: ${what}`);
    await sleep(100);
  }
}
