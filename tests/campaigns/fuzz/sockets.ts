// Sockets that do not behave, on a real server in a process of its own, while a neighbour works: measures the
// answers to each, how long the neighbour waits, and the server's memory.
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { commonProblems } from "#contract/endpoint.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { cloneDatabase } from "#tests/cluster.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { launchServer, ready, stop, type Started } from "#tests/server-process.ts";
import { abuses, type Abuse } from "./abuses.ts";
import { bodyFaults } from "./response-checks.ts";

export interface SocketSize {
  /** Sockets held open at once by the slow ones. */
  slow: number;
  /** Whether to wait until the server has ended the slow ones by itself: a minute or two. */
  wait: boolean;
}

/** The result of one abuse. */
export interface SocketResult {
  name: string;
  sockets: number;
  answers: Map<string, number>;
  faults: string[];
  p99Ms: number;
  rssMb: number;
  seconds: number;
}

const full: SocketSize = { slow: 400, wait: true };

/** Abuses a server in every way there is; answers the quiet p99 of the neighbour and each result. */
export async function fuzzSockets(
  size: SocketSize = full,
  onResult: (result: SocketResult) => void = () => {},
): Promise<{ quiet: SocketResult; results: SocketResult[] }> {
  const clone = await cloneDatabase();
  const dataDir = await scratchFolder("fuzz");
  const server = await ready(
    await launchServer({
      dataDir,
      env: { DATABASE_URL: clone.runtimeUrl, DEMO: "1", PAYMENTS: "sandbox", LOG_LEVEL: "error" },
    }),
  );
  try {
    const neighbour = await neighbourOf(server);
    const quiet = await measured(server, neighbour, { name: "(quiet)", run: () => sleep(1500) });
    onResult(quiet);
    const results: SocketResult[] = [];
    for (const abuse of abuses) {
      const result = await measured(server, neighbour, {
        name: abuse.name,
        run: (into) => abused(server, abuse, size, into),
      });
      onResult(result);
      results.push(result);
    }
    return { quiet, results };
  } finally {
    await stop(server);
    await removeData(dataDir);
    await clone.drop();
  }
}

/** The campaign with its table; false when an answer was not as it should be. */
export async function abuseSockets(size: SocketSize = full): Promise<boolean> {
  const heads = ["sockets", "p99 ms", "RSS MB", "time s"].map((word) => word.padStart(9)).join("");
  console.log(`\n${"sockets".padEnd(34)}${heads}  answers`);
  const { results } = await fuzzSockets(size, (result) => {
    const { name, sockets, answers, p99Ms, rssMb, seconds, faults } = result;
    const numbers = [String(sockets), p99Ms.toFixed(1), rssMb.toFixed(0), seconds.toFixed(1)];
    const answerCounts = [...answers].map(([answer, times]) => `${times} × ${answer}`).join(", ");
    const mark = faults.length > 0 ? "✗" : "✓";
    console.log(
      `${mark} ${name.padEnd(32)}${numbers.map((text) => text.padStart(9)).join("")}  ${answerCounts}`,
    );
    for (const fault of new Set(faults)) console.log(`    ${fault}`);
  });
  console.log("p99: of a neighbour that reads a balance all the while; figures, never a gate");
  return results.every(({ faults }) => faults.length === 0);
}

// ---- the neighbour

type Neighbour = () => Promise<{ ms: number; fault: string | null }>;

async function neighbourOf({ address }: Started): Promise<Neighbour> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    await fetch(`${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
  const { cardnumber } = cast.guardian;
  const login = await post("/api/login", { login: cardnumber, password: castPassword });
  const { token } = (await login.json()) as { token: { jeton: string } };
  return async () => {
    const began = performance.now();
    try {
      const headers = { authorization: `Bearer ${token.jeton}` };
      const answer = await post("/api/card/info", { cardnumber }, headers);
      await answer.arrayBuffer();
      const fault = answer.status === 200 ? null : `the neighbour was answered ${answer.status}`;
      return { ms: performance.now() - began, fault };
    } catch (error) {
      return {
        ms: performance.now() - began,
        fault: `the neighbour was let down: ${String(error)}`,
      };
    }
  };
}

type Into = Pick<SocketResult, "answers" | "faults"> & { sockets: number };

async function measured(
  server: Started,
  neighbour: Neighbour,
  { name, run }: { name: string; run: (into: Into) => Promise<unknown> },
): Promise<SocketResult> {
  const into: Into = { answers: new Map(), faults: [], sockets: 0 };
  const began = performance.now();
  const controller = new AbortController();
  const times: number[] = [];
  const working = (async () => {
    do {
      const { ms, fault } = await neighbour();
      times.push(ms);
      if (fault) into.faults.push(fault);
      await sleep(5);
    } while (!controller.signal.aborted);
  })();
  await run(into);
  controller.abort();
  await working;
  if (server.child.exitCode !== null) into.faults.push("the server is gone");
  return {
    name,
    ...into,
    p99Ms: times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0,
    rssMb: await rssOf(server.child.pid ?? 0),
    seconds: (performance.now() - began) / 1000,
  };
}

/** Resident memory in MB, 0 where the system does not tell. */
async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

// ---- the abuse

async function abused(
  { port }: Started,
  abuse: Abuse,
  size: SocketSize,
  into: Into,
): Promise<void> {
  into.sockets = abuse.slow ? size.slow : abuse.sockets;
  const ends = await Promise.all(
    Array.from({ length: into.sockets }, () => talk(port, abuse, size.wait)),
  );
  for (const end of ends) {
    const outcome = end.answers.map(({ status }) => String(status)).join("+") || end.how;
    const short = outcome.length > 30 ? `${end.answers.length} answers` : outcome;
    into.answers.set(short, (into.answers.get(short) ?? 0) + 1);
    into.faults.push(...faultsOf(end, abuse, size.wait));
  }
}

interface Talk {
  answers: { status: number; type: string; text: string; requestId: string }[];
  how: "held" | "closed";
}

/** Sends the text of the abuse; ends when the server closes the connection, or after the time-out. */
async function talk(port: number, abuse: Abuse, wait: boolean): Promise<Talk> {
  const socket = connect({ port, host: "localhost" });
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => {});
  let closed = false;
  const end = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  void end.then(() => (closed = true));
  const timeoutMs = abuse.slow ? (wait ? 120_000 : 1500) : 60_000;
  const until = performance.now() + timeoutMs;
  const isOver = () => closed || performance.now() > until;
  const speaking = abuse.say((bytes) => spoken(socket, bytes), isOver);
  if (abuse.gone) void speaking.then(() => socket.destroy());
  await Promise.race([end, speaking.then(() => end), sleep(timeoutMs, undefined, { ref: false })]);
  const how = closed ? "closed" : "held";
  socket.destroy();
  await speaking;
  return { answers: answersIn(Buffer.concat(parts)), how };
}

async function spoken(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  if (socket.destroyed) return;
  if (socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    socket.once("drain", resolve);
    socket.once("close", resolve);
  });
}

function faultsOf({ answers, how }: Talk, abuse: Abuse, wait: boolean): string[] {
  const faults = answers.flatMap((answer) => {
    if (answer.status < 400)
      return abuse.allowed.includes(answer.status) ? [] : [`${answer.status}`];
    // Before there is a request, Node refuses by itself, without a body.
    if (answer.text === "" && abuse.bare?.includes(answer.status)) return [];
    return bodyFaults(answer, commonProblems);
  });
  if (typeof abuse.answers === "number" && answers.length !== abuse.answers) {
    faults.push(`${answers.length} answers instead of ${abuse.answers}`);
  }
  if (abuse.slow && wait && how === "held") faults.push("still held open after two minutes");
  return faults;
}

/** The HTTP answers in what came back, by their content-length. */
function answersIn(bytes: Buffer): Talk["answers"] {
  const found: Talk["answers"] = [];
  for (let at = 0; at < bytes.length;) {
    const split = bytes.indexOf("\r\n\r\n", at);
    if (split < 0) break;
    const head = bytes.subarray(at, split).toString("latin1");
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1] ?? "";
    const start = split + 4;
    const isChunked = header("transfer-encoding") === "chunked";
    const last = isChunked ? bytes.indexOf("0\r\n\r\n", start) : -1;
    const length = last < 0 ? Number(header("content-length") || 0) : last - start;
    found.push({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
      type: header("content-type"),
      requestId: header("x-request-id"),
      text: bytes.subarray(start, start + length).toString(),
    });
    at = start + length + (last < 0 ? 0 : 5);
  }
  return found;
}
