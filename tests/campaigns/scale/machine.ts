// One of three machines: its etcd, Patroni (which runs PostgreSQL), HAProxy, PgBouncer and portal, each a
// process of its own in a folder of its own, at an address of its own of the loopback network.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, realpathSync } from "node:fs";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processesIn, runner } from "#server/db/postgres-process.ts";
import { noteServer } from "#tests/scratch.ts";
import { launchServer, ready, type Started, stop } from "#tests/server-process.ts";
import type { Programs } from "./programs.ts";
import { filled, machineValues, readLines, type Values } from "./templates.ts";

export type PartName = "etcd" | "patroni" | "haproxy" | "pgbouncer";

interface Running {
  child: ChildProcess;
  ended: Promise<void>;
}

export class Machine {
  readonly name: string;
  readonly values: Values;
  portal: Started | undefined;
  readonly #folder: string;
  readonly #programs: Programs;
  /** Of each portal that ran here. */
  readonly #said: (() => string)[] = [];
  readonly #parts = new Map<PartName, Running>();

  private constructor(folder: string, values: Values, programs: Programs) {
    this.name = values["NAME"] as string;
    this.values = values;
    this.#folder = folder;
    this.#programs = programs;
  }

  /** Makes the folders and files of a machine; nothing runs yet. */
  static async make(folder: string, overrides: Values, programs: Programs): Promise<Machine> {
    const values = await machineValues({
      ...overrides,
      POSTGRES_HOME: folder,
      ETCD_FOLDER: join(folder, "etcd"),
      POOLER_FOLDER: folder,
      POOLER_LOG: join(folder, "pgbouncer.log"),
      POOLER_RUN: folder,
      PORTAL_FOLDER: join(folder, "portal"),
    });
    await mkdir(folder, { mode: 0o700 });
    for (const file of ["patroni.yml", "haproxy.cfg", "pgbouncer.ini", "userlist.txt"])
      await writeFile(join(folder, file), await filled(file, values), { mode: 0o600 });
    runner().own(folder);
    return new Machine(folder, values, programs);
  }

  value(name: string): string {
    return this.values[name] as string;
  }

  /** `http://` and the address with the port of that name. */
  url(port: string): string {
    return `http://${this.value("ADDRESS")}:${this.value(port)}`;
  }

  /** An address of its database by the superuser; around HAProxy with POSTGRES_PORT. */
  databaseUrl(port: "POSTGRES_PORT" | "LEADER_PORT", database = "macarte"): string {
    const password = this.value("SUPERUSER_PASSWORD");
    return `postgres://postgres:${password}@${this.value("ADDRESS")}:${this.value(port)}/${database}`;
  }

  async start(part: PartName): Promise<void> {
    const file = (name: string) => join(this.#folder, name);
    const program = this.#programs[part];
    // PostgreSQL and PgBouncer refuse root (server/db/postgres-process.ts).
    const plain = runner().command;
    const commands = {
      etcd: [program],
      patroni: [...plain, program, file("patroni.yml")],
      haproxy: [program, "-db", "-f", file("haproxy.cfg")],
      pgbouncer: [...plain, program, file("pgbouncer.ini")],
    } satisfies Record<PartName, string[]>;
    const own = part === "etcd" ? readLines(await filled("etcd.env", this.values)) : {};
    const inheritedEnv = Object.entries(process.env).filter(
      ([name]) => !/^(PG|LC_|LANG|ETCD)/.test(name),
    );
    const log = openSync(file(`${part}.log`), "a", 0o600);
    const [command, ...rest] = commands[part] as [string, ...string[]];
    const child = spawn(command, rest, {
      cwd: this.#folder,
      // No Ctrl-C of the terminal reaches it: it is ended by its number.
      detached: true,
      stdio: ["ignore", log, log],
      env: { ...Object.fromEntries(inheritedEnv), LC_ALL: "C", ...own },
    });
    closeSync(log);
    const forget = child.pid === undefined ? async () => {} : await noteServer(child.pid);
    const ended = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => void forget().then(resolve));
    });
    this.#parts.set(part, { child, ended });
  }

  /** Ends a part at once, PostgreSQL with its Patroni, and waits until it is gone. */
  async kill(part: PartName): Promise<void> {
    const running = this.#parts.get(part);
    running?.child.kill("SIGKILL");
    if (part === "patroni") {
      for (const pid of await this.#postgres()) signal(pid, "SIGKILL");
      while ((await this.#postgres()).length > 0) await sleep(10);
    }
    await running?.ended;
    this.#parts.delete(part);
  }

  /** Holds Patroni and PostgreSQL, as a machine that stands still. */
  async freeze(): Promise<void> {
    this.#parts.get("patroni")?.child.kill("SIGSTOP");
    // First the oldest, which forks the others.
    for (let held = 0; held < (await this.#postgres()).length;) {
      const all = await this.#postgres();
      for (const pid of all) signal(pid, "SIGSTOP");
      held = all.length;
    }
  }

  async thaw(part: "postgres" | "patroni"): Promise<void> {
    if (part === "patroni") this.#parts.get("patroni")?.child.kill("SIGCONT");
    else for (const pid of await this.#postgres()) signal(pid, "SIGCONT");
  }

  /** At once: the process is about to end. */
  thawAll(): void {
    const folder = join(this.#folder, "ma-carte");
    for (const pid of existsSync(folder) ? processesIn(realpathSync(folder)) : [])
      signal(pid, "SIGCONT");
  }

  /** With the settings of portal.env, or with those that it gives for PgBouncer. */
  async startPortal(env: Values, pooled = false): Promise<void> {
    const text = await filled("portal.env", this.values);
    const own = readLines(pooled ? text.replaceAll(/^# (?=DATABASE_)/gm, "") : text);
    const started = await launchServer({
      dataDir: this.value("PORTAL_FOLDER"),
      port: Number(this.value("PORTAL_PORT")),
      env: { ...own, LOG_LEVEL: "error", ...env },
    });
    this.#said.push(started.said);
    this.portal = await ready(started);
  }

  /** SIGTERM and its exit code, or SIGKILL. */
  async stopPortal(how: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    return this.portal ? await stop(this.portal, how) : null;
  }

  /** Everything of this machine, at once. */
  async end(): Promise<void> {
    if (this.portal && this.portal.child.exitCode === null && !this.portal.child.signalCode)
      await this.stopPortal();
    for (const part of ["patroni", "pgbouncer", "haproxy", "etcd"] as const) await this.kill(part);
  }

  /** The last three faults that its portal logged. */
  faults(): string[] {
    const lines = this.#said.flatMap((said) => said().split("\n"));
    return lines.filter((line) => line.includes("unexpected error")).slice(-3);
  }

  /** The last lines that its parts wrote. */
  async lastWords(): Promise<string> {
    const logs = ["etcd", "patroni", "haproxy", "pgbouncer"].map(async (part) => {
      const text = await readFile(join(this.#folder, `${part}.log`), "utf8").catch(() => "");
      return `--- ${this.name} ${part}\n${text.trim().slice(-1500)}`;
    });
    const portal = `--- ${this.name} portal\n${this.portal?.said().slice(-1500) ?? ""}`;
    return [...(await Promise.all(logs)), portal].join("\n");
  }

  async #postgres(): Promise<number[]> {
    const data = join(this.#folder, "ma-carte");
    const folder = await realpath(data).catch(() => undefined);
    return folder === undefined ? [] : processesIn(folder).sort((a, b) => a - b);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}
