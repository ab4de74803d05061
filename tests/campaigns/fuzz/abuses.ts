// Ways of abusing a socket. A new one is a few lines: what it says, and what it may be answered.
import { setTimeout as sleep } from "node:timers/promises";

type Write = (bytes: string | Uint8Array) => Promise<void>;

export interface Abuse {
  name: string;
  /** How many at once; a slow one takes as many as the campaign's size says. */
  sockets: number;
  slow?: boolean;
  /** Statuses under 400 that are right; refusals must be of the catalogue. */
  allowed: readonly number[];
  /** Refusals that Node gives without a body before there is a request. */
  bare?: readonly number[];
  /** How many answers a socket must get; any number unless told. */
  answers?: number | "any";
  /** Whether the client leaves as soon as everything is sent. */
  gone?: boolean;
  say: (write: Write, isOver: () => boolean) => Promise<void>;
}

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n");
const post = (...headers: string[]) =>
  head("POST", "/api/login", "content-type: application/json", ...headers);
const close = "connection: close";
/** A second request behind one whose end is not clear: it must not be answered. */
const next = head("GET", "/api/portal");

/** One text sent at once and refused once. */
const refused = (name: string, text: string | Uint8Array, more: Partial<Abuse> = {}): Abuse => ({
  name,
  sockets: 20,
  allowed: [],
  answers: 1,
  say: async (write) => await write(text),
  ...more,
});

/** A beginning, then one more byte now and then, for as long as the server keeps the connection. */
const dribbled = (name: string, start: string, drop: string): Abuse => ({
  name,
  sockets: 0,
  slow: true,
  allowed: [],
  async say(write, isOver) {
    await write(start);
    while (!isOver()) {
      await sleep(200);
      await write(drop);
    }
  },
});

const withBody = (body: Uint8Array, ...headers: string[]) =>
  Buffer.concat([Buffer.from(post(`content-length: ${body.length}`, close, ...headers)), body]);
const megabytes = (write: Write, isOver: () => boolean, part: Buffer) =>
  (async () => {
    for (let sent = 0; sent < 10 && !isOver(); sent++) await write(part);
  })();

export const abuses: readonly Abuse[] = [
  dribbled("slow headers", "GET /api/health HTTP/1.1\r\nhost: localhost\r\nx-a: ", "a"),
  dribbled("slow body", post("content-length: 5000"), " "),
  dribbled("silence", "", ""),
  dribbled("slow chunks", post("transfer-encoding: chunked"), "1\r\n \r\n"),
  refused("two content lengths", post("content-length: 2", "content-length: 3") + "{}"),
  refused("length and chunks", `${post("content-length: 2", "transfer-encoding: chunked")}{}`),
  refused("chunked, spelt oddly", `${post("transfer-encoding: xchunked")}0\r\n\r\n`),
  refused("chunked, spelt oddly, then a request", `${post("transfer-encoding: xchunked")}${next}`),
  refused(
    "an unknown coding before chunked, then a request",
    `${post("transfer-encoding: xchunked, chunked")}0\r\n\r\n${next}`,
  ),
  refused(
    "chunked and chunked again, then a request",
    `${post("transfer-encoding: chunked", "transfer-encoding: chunked")}0\r\n\r\n${next}`,
  ),
  refused(
    "an odd coding and a change of protocol, then a request",
    head(
      "GET",
      "/api/portal",
      "connection: upgrade",
      "upgrade: h2c",
      "transfer-encoding: xchunked",
    ) + next,
  ),
  refused("chunk of no size", `${post("transfer-encoding: chunked")}zz\r\n{}`),
  refused("chunk of huge size", `${post("transfer-encoding: chunked")}${"f".repeat(20)}\r\n{}`),
  refused("negative length", post("content-length: -1")),
  // The line is cut on whoever goes on talking: the refusal may be lost on its way.
  refused("10 MB announced", "", {
    answers: "any",
    say: async (write, isOver) => {
      await write(post("content-length: 10485760", close));
      await megabytes(write, isOver, Buffer.alloc(1_048_576, 0x20));
    },
    sockets: 8,
  }),
  refused("10 MB in chunks", "", {
    answers: "any",
    say: async (write, isOver) => {
      await write(post("transfer-encoding: chunked", close));
      const part = Buffer.concat([
        Buffer.from("100000\r\n"),
        Buffer.alloc(1_048_576, 0x20),
        Buffer.from("\r\n"),
      ]);
      await megabytes(write, isOver, part);
      await write("0\r\n\r\n");
    },
    sockets: 8,
  }),
  refused("1 MB of headers", head("GET", "/api/health", `x-a: ${"a".repeat(1_048_576)}`)),
  refused("20,000 headers", head("GET", "/", ...Array.from({ length: 20_000 }, () => "a: b"))),
  refused("address of 1 MB", head("GET", `/${"a".repeat(1_048_576)}`)),
  refused("bad UTF-8 in the body", withBody(Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]))),
  refused("NUL in the body", withBody(Buffer.from('{"login":1,"password":"\0"}'))),
  refused("NUL, escaped", withBody(Buffer.from('{"login":1,"password":"\\u0000"}'))),
  refused("NUL in the address", head("GET", "/api/\0health", close)),
  refused("NUL in a header", head("GET", "/api/health", "x-a: \0", close)),
  refused("bytes above ASCII in the address", Buffer.from(head("GET", "/api/é", close), "latin1")),
  refused("a header without a name", head("GET", "/api/health", ": x", close)),
  refused("a folded header", head("GET", "/api/health", "x-a: b\r\n c: d", close), {
    allowed: [200],
  }),
  refused("a bare line feed", "GET /api/health HTTP/1.1\nhost: x\n\n"),
  refused("no method of HTTP", head("FETCH", "/api/health", close)),
  refused("no HTTP at all", Buffer.from("16030100c8010000c40303", "hex")),
  refused("version 3", "GET /api/health HTTP/3.0\r\nhost: x\r\n\r\n"),
  refused("no host", "GET /api/health HTTP/1.1\r\n\r\n", { bare: [400] }),
  refused("an unknown expectation", head("GET", "/api/health", "expect: x", close), {
    bare: [417],
  }),
  refused("a proxy's address", head("GET", "http://autre.exemple/api/health", close), {
    allowed: [200],
  }),
  refused("a tunnel", head("CONNECT", "autre.exemple:443", close), { answers: "any" }),
  refused(
    "a change of protocol",
    head("GET", "/api/health", "connection: upgrade, close", "upgrade: h2c"),
    {
      allowed: [200],
      answers: "any",
      sockets: 5,
    },
  ),
  refused(
    "200 requests in one breath",
    head("GET", "/api/portal").repeat(199) + head("GET", "/api/portal", close),
    {
      sockets: 8,
      allowed: [200],
      answers: 200,
    },
  ),
  refused("a good one, then no HTTP", `${head("GET", "/api/portal")}\0\0\0\0`, {
    allowed: [200],
    answers: "any",
  }),
  {
    name: "gone before the answer",
    sockets: 100,
    allowed: [200],
    gone: true,
    say: async (write) => await write(head("GET", "/api/health", close)),
  },
];
