// Files that are made to be read for long: each is answered within its row's contract and with a hundred faults
// at most, in a process of its own, in a time that grows as the file does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readMenuFile } from "#server/kitchen/menu-file.ts";
import { readPersonsFile } from "#server/card-orders/persons-file.ts";
import { readGrantLines } from "#server/grants/file-lines.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { costRatio } from "#tests/cost-ratio.ts";
import { childrenRunning } from "#tests/server-process.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { type HostileFile, hostileFiles } from "./hostile-files.ts";

let server: TestServer;
let clients: Record<HostileFile["row"], Client>;
beforeAll(async () => {
  server = await openTestServer();
  await makeCanteen(server);
  const employer = await server.as("employer");
  clients = {
    "canteen.previewMenuImport": await server.as("canteenProvider"),
    "grants.readFile": employer,
    "cardOrders.readFile": employer,
  };
});
beforeEach(() => server.deps.pool.query("delete from limiter"));
afterAll(() => server.close());

const paths = {
  "canteen.previewMenuImport": "/api/canteen/menus/import/preview?prices=true",
  "grants.readFile": "/api/grants/file",
  "cardOrders.readFile": "/api/card-orders/file",
} as const;
const workers = {
  "canteen.previewMenuImport": "kitchen/menu-file-worker",
  "grants.readFile": "grants/file-worker",
  "cardOrders.readFile": "card-orders/persons-file-worker",
} as const;
const readers = {
  "canteen.previewMenuImport": (bytes: Buffer) =>
    readMenuFile({ bytes, source: undefined, prices: true, today: "2026-01-01" }),
  "grants.readFile": (bytes: Buffer) => readGrantLines({ bytes, able: [] }),
  "cardOrders.readFile": readPersonsFile,
} as const;
type Row = keyof typeof paths;
const send = (row: Row, text: string) =>
  clients[row].post(paths[row], Buffer.from(text), { "content-type": "application/octet-stream" });

describe.each(Object.entries(hostileFiles))("%s", (name, { row, size, text }) => {
  test("is answered within its contract", async () => {
    const file = text(size);
    const began = performance.now();
    const { status, body } = await send(row, file);
    const ms = (performance.now() - began).toFixed(0);
    console.log(`${name}: ${file.length} bytes, ${ms} ms, ${status} ${body.code ?? ""}`);
    if (status !== 200) expect([413, 422]).toContain(status);
    else {
      expect(body.faults.length).toBeLessThanOrEqual(100);
      expect(body.stopped).toBe(body.faults.length === 100);
    }
  });

  // proves: line-files
  test("four times as long takes four times the time, not sixteen", async () => {
    const of = (length: number) => {
      const bytes = Buffer.from(text(length));
      return async () => void (await readers[row](bytes).catch(() => undefined));
    };
    const max = Math.min(size, 8000);
    const [short, long] = [of(max / 4), of(max)];
    // Measured again where something else held it up: what is not linear never comes below.
    await expect.poll(() => costRatio(short, long), { timeout: 20_000 }).toBeLessThan(6);
  });
});

// proves: line-files
describe.runIf(process.platform === "linux")("while the process that reads stands still", () => {
  test.each(Object.keys(paths) as Row[])("%s: others are answered", async (row) => {
    const short = row === "canteen.previewMenuImport" ? "menuDate\n" : "nom\n";
    await send(row, short);
    const reading = childrenRunning(workers[row]);
    expect(reading).toHaveLength(1);
    for (const pid of reading) process.kill(pid, "SIGSTOP");
    const ended: string[] = [];
    const noted = async (name: string, call: Promise<{ status: number }>) => {
      const { status } = await call;
      ended.push(`${name} ${status}`);
    };
    const file = noted("file", send(row, short));
    await noted("other", clients[row].get("/api/session"));
    await noted("another", server.anonymous.get("/api/portal"));
    for (const pid of reading) process.kill(pid, "SIGCONT");
    await file;
    expect(ended).toEqual(["other 200", "another 200", "file 422"]);
  });
});
