// Attacks that were once made on a running portal, as regression tests: each is a short case over a real
// socket, or named here with the test of a room that holds it. Numbers are those of the report: 1 accounts, 2
// the perimeter, 3 nobody eats the machine.
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let address: string;
const tokens = new Map<CastName, string>();
beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  address = `http://localhost:${(server.app.server.address() as AddressInfo).port}`;
  for (const name of ["guardian", "child", "stranger"] as const)
    tokens.set(name, (await server.as(name)).token);
});
beforeEach(() => server.deps.pool.query("delete from limiter"));
afterAll(() => server.close());

interface Answer {
  status: number;
  body: Record<string, any>;
  headers: Headers;
}

/** One call as an attacker makes it: by a socket, with the headers of their choice. */
async function call(
  path: string,
  { as, body, headers = {} }: { as?: CastName; body?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body);
  const answer = await fetch(`${address}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(as && { authorization: `Bearer ${tokens.get(as)}` }),
      ...(body !== undefined && { "content-type": bytes ? "image/png" : "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: bytes ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
  return { status: answer.status, body: isJson ? JSON.parse(text) : {}, headers: answer.headers };
}
const refusal = ({ status, body }: Answer) => [status, body["code"]];
const { cardnumber } = cast.guardian;

describe("1 accounts", () => {
  // proves: attacks
  test("1.1 a stolen session alone moves no address", async () => {
    const first = await call("/api/profile/email", { as: "guardian", body: { email: "a@b.fr" } });
    expect(refusal(first)).toEqual([403, "code_required"]);
    const { challenge } = first.body["details"];
    const proof = { email: "a@b.fr", challenge, code: server.lastCode("a@b.fr") };
    const again = await call("/api/profile/email", { as: "guardian", body: proof });
    expect(refusal(again)).toEqual([422, "password_required"]);
  });

  // proves: attacks
  test("1.4 a known card and an unknown one get the same answer, without any address", async () => {
    const known = await call("/api/password/forgot", { body: { login: cardnumber } });
    const unknown = await call("/api/password/forgot", { body: { login: 1_700_000_003 } });
    expect(known.status).toBe(unknown.status);
    expect(Object.keys(known.body).toSorted()).toEqual(Object.keys(unknown.body).toSorted());
    expect(JSON.stringify(known.body)).not.toMatch(/@|•|\*/);
  });

  // proves: attacks
  test("1.5 a child resumes no card that its guardian suspended", async () => {
    const card = `/api/cards/${cast.child.cardnumber}`;
    expect((await call(`${card}/suspend`, { as: "guardian", body: {} })).status).toBe(200);
    expect(refusal(await call(`${card}/resume`, { as: "child", body: {} }))).toEqual([
      409,
      "family_minor",
    ]);
    expect((await call(`${card}/resume`, { as: "guardian", body: {} })).status).toBe(200);
  });
});

describe("2 the perimeter", () => {
  // proves: attacks
  test("2.3 an invented address of any length changes nothing", async () => {
    for (const forwardedFor of ["<script>", "9".repeat(5000), "1.2.3.4, ".repeat(500)]) {
      const body = { login: cardnumber, password: "ce n'est pas lui" };
      const answer = await call("/api/login", {
        body,
        headers: { "x-forwarded-for": forwardedFor },
      });
      expect(answer.status).toBe(401);
    }
    const { rows } = await server.deps.pool.query(
      "select key from limiter where key like 'login:address:%'",
    );
    expect(rows).toEqual([{ key: "login:address:127.0.0.1" }]);
  });
});

describe("3 nobody eats the machine", () => {
  // proves: attacks
  test("3.1 images that would unpack to gigabytes are refused, and nobody waits for them", async () => {
    const bomb = Buffer.alloc(100);
    bomb.set(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.set([16, 6], 24);
    const sent = [1, 2, 3].map((n) =>
      call(`/api/documents?name=${n}`, { as: "stranger", body: bomb }),
    );
    expect((await call("/api/session", { as: "guardian" })).status).toBe(200);
    for (const answer of await Promise.all(sent))
      expect(refusal(answer)).toEqual([422, "document_unreadable"]);
  });

  // proves: attacks
  test("3.3 twenty statements at once: some are drawn, the rest wait; others are answered", async () => {
    const { rows } = await server.deps.pool.query(
      `select w.object_id as id from wallet w join card c on c.person_id = w.person_id
       where c.number = $1 limit 1`,
      [cast.stranger.cardnumber],
    );
    const path = `/api/wallets/${rows[0].id}/statement.pdf`;
    const many = Array.from({ length: 20 }, () => call(path, { as: "stranger" }));
    expect((await call("/api/session", { as: "guardian" })).status).toBe(200);
    const found = (await Promise.all(many)).map(({ status }) => status);
    expect(found.filter((status) => status === 200)).toHaveLength(10);
    expect(found.filter((status) => status === 429)).toHaveLength(10);
  });

  // proves: attacks
  test("3.4 a flood of logins: sent back with Retry-After, and reads are answered beside it", async () => {
    const flood = Array.from({ length: 120 }, (_, at) =>
      call("/api/login", { body: { login: 1_600_000_000 + at, password: "deviné, encore" } }),
    );
    await sleep(20);
    expect((await call("/api/session", { as: "guardian" })).status).toBe(200);
    const answers = await Promise.all(flood);
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
    // By the brake of their address or by the full queue, whichever a machine of this speed meets first.
    const sentBack = answers.filter(({ status }) => status !== 401);
    expect(sentBack.length).toBeGreaterThan(0);
    expect(sentBack.every(({ headers }) => Number(headers.get("retry-after")) > 0)).toBe(true);
  });
});

/** Attack → the tests of rooms that hold it: file, then titles. */
const held: Record<string, readonly [file: string, ...titles: string[]][]> = {
  "1.2": [
    [
      "server/identity/sessions.test.ts",
      "a password changed where the person came in before makes older links worthless, not the intruder's own",
    ],
  ],
  "1.3": [
    [
      "server/identity/sessions.test.ts",
      "recovery: strangers' wrong codes close nothing to a browser that is known",
      "the brake of everybody slows strangers, not a browser that is known",
      "current password: who guesses in one session closes nothing to the other sessions",
    ],
    [
      "server/identity/login.test.ts",
      "an IPv6 subscriber counts by the /64 and by the /48 that it may own",
    ],
  ],
  "1.5": [
    ["server/passes/passes.test.ts", "a child does not resume what a guardian suspended"],
    [
      "server/privacy/privacy.test.ts",
      "a child closes nothing and keeps nothing open: a guardian does, and the trail says who",
    ],
    [
      "server/identity/step-up.test.ts",
      "a child's address is replaced by no child: a first one it may give itself",
    ],
  ],
  "1.6": [
    [
      "server/funding/funding.test.ts",
      "beyond the cap: accepted, the wallet filled, the rest given back, both told; nothing tells the balance",
    ],
  ],
  "2.1": [
    [
      "server/payments/payments.test.ts",
      "a way back that resolves to another site is not followed",
    ],
  ],
  "2.2": [
    [
      "server/process/config.test.ts",
      "a public address, or one that others reach, is no demo unless it says so",
    ],
    [
      "server/demo/closing.test.ts",
      "while the public password opens an account the start is refused, and says the command",
    ],
  ],
  "2.4": [
    ["server/process/root-key.test.ts", "no key lies open in the database"],
    [
      "server/ledger/seals.test.ts",
      "digests made anew for an altered row do not fit the chain, nor does a chain without its key",
    ],
  ],
  "2.5": [
    [
      "server/http/headers.test.ts",
      "on one's own machine another name is refused, whatever the path; a plain address is not",
    ],
  ],
  "2.6": [
    [
      "server/process/log.test.ts",
      "a line names the route's pattern: no card number, position nor file name of an address",
    ],
  ],
  "2.7": [["server/process/printable.test.ts", "%s is written out, never obeyed"]],
  "3.1": [
    [
      "server/documents/documents.test.ts",
      "more points than allowed are refused, wherever the file says so",
      "16 bits a channel count twice: a small file does not take 900 MB",
    ],
  ],
  "3.2": [
    [
      "server/privacy/privacy.test.ts",
      "an export is kept and sent in pieces, and the next one takes the place of the one before",
    ],
    ["server/documents/documents.test.ts", "all that a person sent has a limit, attached or not"],
  ],
  "3.3": [
    [
      "server/tickets/tickets.test.ts",
      "offered and withdrawn over and over, it soon waits: each time writes to somebody else",
    ],
    [
      "server/http/upload.test.ts",
      "eleven people who hold all their places leave one to everybody else",
    ],
  ],
  "3.5": [
    [
      "server/http/headers.test.ts",
      "a kept-alive connection that falls silent is closed without a word; half a request gets 408",
    ],
  ],
};

// proves: attacks
test.each(Object.entries(held))("%s is held by the tests of its rooms", (_, tests) => {
  for (const [file, ...titles] of tests) {
    const text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
    expect(titles.filter((title) => !text.includes(title))).toEqual([]);
  }
});
