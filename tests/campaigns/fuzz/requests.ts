// From a row of the contract to requests: half as its schema says, half bent in one place, and what
// they look like on the wire.
import * as fc from "fast-check";
import * as z from "zod/mini";
import { pathParameters, type Row } from "#contract/endpoint.ts";
import { againstSchema, objectOf, concat, type Shape } from "./values.ts";
import { pdfFile } from "../../pdf-file.ts";

/** Where a request departs from its schema. */
export type Twist =
  | { kind: "none" }
  | { kind: "field"; path: string[]; value: unknown }
  | { kind: "missing"; path: string[] }
  | { kind: "extra"; name: string; value: unknown }
  | { kind: "body"; type: string | null; bytes: Uint8Array }
  | { kind: "path"; at: number; text: string }
  | { kind: "query"; text: string }
  | { kind: "headers"; headers: Record<string, string> }
  | { kind: "method"; method: "HEAD" | "PUT" | "DELETE" | "PATCH" | "OPTIONS" };

/** A request before the portal's own values are put in. */
export interface Plan {
  caller: number;
  input: Record<string, unknown>;
  twist: Twist;
  /** Idempotency-Key; few of them, so that some come twice. */
  key: string | null;
}

/** A request as it is sent. */
export interface Wire {
  method: Row["method"] | "HEAD" | "PATCH" | "OPTIONS";
  url: string;
  headers: Record<string, string>;
  payload?: Uint8Array;
}

/** The plans of a row, each by one of so many callers; `often` names one that most of them are by. */
export function plansOf(
  row: Row,
  callers: number,
  often: { caller: number; weight: number } | null = null,
): fc.Arbitrary<Plan> {
  const any = fc.nat(callers - 1);
  const shape = inputShape(row);
  return fc.record({
    caller:
      often === null
        ? any
        : fc.oneof({ weight: often.weight, arbitrary: fc.constant(often.caller) }, any),
    input: objectOf(shape) as fc.Arbitrary<Record<string, unknown>>,
    twist: twistsOf(row, shape),
    key: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: fc.nat(40).map((at) => `key-${at}`) },
    ),
  });
}

/** A row's input as JSON schema; what stands in its path is required whatever the schema says. */
function inputShape(row: Row): Shape {
  const shape = z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" }) as Shape;
  const parameters = pathParameters(row.path);
  return { ...shape, required: [...new Set([...(shape.required ?? []), ...parameters])] };
}

function twistsOf(row: Row, shape: Shape): fc.Arbitrary<Twist> {
  const fields = fieldsOf(shape);
  const parameters = pathParameters(row.path);
  const bent = fields.map(({ path, shape: one }) =>
    againstSchema(path.at(-1) as string, one).map((value) => ({
      kind: "field" as const,
      path,
      value,
    })),
  );
  const left = fields.map(({ path }) => ({ kind: "missing" as const, path }));
  const ofBody =
    row.method === "GET"
      ? [{ weight: 2, arbitrary: queries }]
      : [{ weight: 3, arbitrary: bodiesOf(row) }];
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant({ kind: "none" as const }) },
    ...(bent.length > 0 ? [{ weight: 5, arbitrary: fc.oneof(...bent) }] : []),
    ...(left.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...left) }] : []),
    ...(parameters.length > 0 ? [{ weight: 1, arbitrary: paths }] : []),
    ...ofBody,
    { weight: 1, arbitrary: extras },
    { weight: 1, arbitrary: fc.constantFrom(...oddHeaders).map(asHeaders) },
    { weight: 1, arbitrary: fc.constantFrom(...otherMethods).map(asMethod) },
  ) as fc.Arbitrary<Twist>;
}

/** Every property of an input, those inside others included. */
function fieldsOf(shape: Shape, above: string[] = []): { path: string[]; shape: Shape }[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, one]) => {
    const path = [...above, name];
    return [{ path, shape: one }, ...fieldsOf(one, path)];
  });
}

const asHeaders = (headers: Record<string, string>) => ({ kind: "headers" as const, headers });
const asMethod = (method: (typeof otherMethods)[number]) => ({ kind: "method" as const, method });
const otherMethods = ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"] as const;

const extras = fc.record({
  kind: fc.constant("extra" as const),
  name: fc.constantFrom("__proto__", "constructor", "prototype", "toString", "personId", "caller"),
  value: fc.constantFrom(1, null, { isAdmin: true, type: 2 }, { prototype: { type: 2 } }),
});

const paths = fc.record({
  kind: fc.constant("path" as const),
  at: fc.nat(3),
  text: fc.constantFrom(
    ...concat(
      ["", "%00", "%ff", "%zz", "%", "%ed%a0%80", "..", "%2e%2e", ".", "..%2f..%2fapi", "%2f"],
      ["a b", "é", ";x=1", "a%3fb", "%23", "x".repeat(201), "9".repeat(400), "null", "-0", "1e9"],
      ["1000000016.0", "+1000000016", "%201000000016", "0x3B9ACA10", "*", ":cardnumber", "[1]"],
    ),
  ),
});

const queries = fc.record({
  kind: fc.constant("query" as const),
  text: fc.constantFrom(
    ...concat(
      ["%", "%zz=%zz", "%ff=%ff", "&&&", "=", "a=1&a=2", "__proto__=1", "__proto__[x]=1"],
      ["before=1&before=2", "limit[]=1", "limit[a]=1", "cardnumber=1000000016&cardnumber=1"],
      ["constructor[prototype][x]=1", "q=%00", "q=%ed%a0%80", `q=${"x".repeat(7000)}`, "?", "#"],
      ["a&".repeat(1500)],
    ),
  ),
});

/** Files that a row takes: a PNG of one point, a PDF. */
const fileSamples = [
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  pdfFile(),
] as const;
const json = "application/json";
const form = "application/x-www-form-urlencoded";
const bytes = (text: string) => new TextEncoder().encode(text);
const brackets = (count: number) => `${"[".repeat(count)}${"]".repeat(count)}`;
const malformed = concat(
  ["", " ", "null", "true", "1", '"x"', "[]", "[{}]", "{", "}", '{"a":}', '{"a":1,}', "{'a':1}"],
  ['{"a":NaN}', '{"a":1e999}', '{"a":01}', '{"a":1}{"b":2}', '{"a":1,"a":2}', "\ufeff{}", "\0"],
  ['{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"\\u0000":1}', '{"__proto__":{"x":1}}', '{"a":"'],
  ['{"constructor":{"prototype":{"x":1}}}', `{"a":${brackets(20_000)}}`, brackets(30_000)],
  [`{"a":${"9".repeat(50_000)}}`, `{${'"k":1,'.repeat(9000)}"z":1}`, "x".repeat(66_000)],
  [`{"a":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`],
);
const notUtf8 = [
  [0xff, 0xfe, 0x7b, 0x7d],
  [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d],
  [0x80],
];
const types = concat(
  [form, "text/plain", "text/xml", "multipart/form-data; boundary=x", "multipart/form-data"],
  ["application/json; charset=utf-16", "application/jsonp", "json", "", "a/b/c", "*/*", ";;"],
);

function bodiesOf(row: Row): fc.Arbitrary<Twist> {
  const type = row.body === "file" ? "application/pdf" : row.reply === "html" ? form : json;
  const body = (as: string | null, content: Uint8Array) =>
    ({ kind: "body" as const, type: as, bytes: content }) satisfies Twist;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...malformed).map((text) => body(type, bytes(text))) },
    fc.constantFrom(...notUtf8).map((octets) => body(type, Uint8Array.from(octets))),
    fc.uint8Array({ maxLength: 200 }).map((octets) => body(type, octets)),
    fc.constantFrom(...types, null).map((as) => body(as, bytes('{"a":1}'))),
  );
}

const oddHeaders: Record<string, string>[] = [
  { "idempotency-key": "" },
  { "idempotency-key": "k".repeat(101) },
  { "idempotency-key": "clé" },
  { "idempotency-key": "a b" },
  { authorization: "" },
  { authorization: "Bearer" },
  { authorization: "Bearer a.b.c" },
  { authorization: `Bearer ${"a".repeat(3000)}` },
  { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0." },
  { authorization: "Basic YTpi" },
  { cookie: "jwt_token=x; __Host-lien=y; =; ;;;" },
  { cookie: `a=${"%".repeat(2000)}` },
  { cookie: "__Host-lien=%ff%00; __Host-appareil=%zz" },
  { accept: "text/html;q=x,*/*;q=-1" },
  { "user-agent": "\u00e9\u00ff".repeat(400) },
  { "x-forwarded-for": "1.2.3.4, ::1, not-an-address" },
  { host: "exemple.invalid", origin: "null", referer: "x" },
  { host: "" },
  { "last-event-id": "99999999999999999999" },
  { "last-event-id": "-1" },
  { "accept-encoding": "br;q=2, *;q=0" },
  { range: "bytes=0-1,5-,-1" },
  { "if-none-match": '"x"', "if-modified-since": "never" },
  { "content-length": "7" },
  { expect: "200-maybe" },
];

/** The bytes of a plan whose values are all put in, sent with a token ("" for none). */
export function wireOf(row: Row, { input, twist, key }: Plan, token: string): Wire {
  const values = bend(input, twist);
  let path: string = row.path;
  for (const [at, name] of pathParameters(row.path).entries()) {
    const segment = twist.kind === "path" && twist.at === at ? twist.text : inUrl(values[name]);
    path = path.replace(`:${name}`, () => segment);
    delete values[name];
  }
  const headers: Record<string, string> = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(key ? { "idempotency-key": key } : {}),
  };
  const method = twist.kind === "method" ? twist.method : row.method;
  const wire: Wire = { method, url: path, headers };
  if (row.method === "GET" || row.body === "file") wire.url += queryOf(values, twist);
  if (row.method === "GET") return withHeaders(wire, twist);
  if (twist.kind === "body") {
    wire.payload = twist.bytes;
    if (twist.type !== null) headers["content-type"] = twist.type;
  } else if (row.body === "file") {
    wire.payload = fileSamples[input["name"] === undefined ? 0 : 1];
    headers["content-type"] = "application/octet-stream";
  } else if (row.reply === "html") {
    wire.payload = bytes(queryOf(values, twist).slice(1));
    headers["content-type"] = form;
  } else {
    wire.payload = bytes(withExtra(JSON.stringify(values), twist));
    headers["content-type"] = json;
  }
  return withHeaders(wire, twist);
}

function withHeaders(wire: Wire, twist: Twist): Wire {
  if (twist.kind === "headers") Object.assign(wire.headers, twist.headers);
  return wire;
}

function bend(input: Record<string, unknown>, twist: Twist): Record<string, unknown> {
  const values = structuredClone(input);
  if (twist.kind !== "field" && twist.kind !== "missing") return values;
  const last = twist.path.at(-1) as string;
  let inner: Record<string, unknown> = values;
  for (const name of twist.path.slice(0, -1)) inner = (inner[name] ?? {}) as typeof inner;
  if (twist.kind === "missing") delete inner[last];
  else if (typeof inner === "object") inner[last] = structuredClone(twist.value);
  return values;
}

// Written into the text: no object of ours could carry a property called __proto__.
function withExtra(text: string, twist: Twist): string {
  if (twist.kind !== "extra") return text;
  const rest = text === "{}" ? "}" : `,${text.slice(1)}`;
  return `{${JSON.stringify(twist.name)}:${JSON.stringify(twist.value)}${rest}`;
}

function queryOf(values: Record<string, unknown>, twist: Twist): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${inUrl(value)}`);
  if (twist.kind === "query") pairs.push(twist.text);
  if (twist.kind === "extra") pairs.push(`${twist.name}=${inUrl(twist.value)}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

/** A value in a path or a query; half a character becomes the bytes that no UTF-8 reader accepts. */
function inUrl(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return Array.from(text)
    .map((one) => (/[\ud800-\udfff]/u.test(one) ? "%ed%a0%80" : encodeURIComponent(one)))
    .join("");
}
