// A schema's refusal is in French for any input: no word of the schema, no name of a field.
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { everyRow } from "#contract/api.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { faultOf } from "./input-faults.ts";

let server: TestServer;
let person: Client;
beforeAll(async () => {
  server = await openTestServer();
  person = await server.as("guardian");
});
afterAll(() => server.close());

test.each([
  ["/api/contact", {}, /: une information obligatoire manque\.$/],
  ["/api/profile/phone", { phonenumber: "0".repeat(40) }, /: 30 caractères au plus\.$/],
  ["/api/profile/email", { email: "personne" }, /: adresse e-mail non valable\.$/],
])(
  "POST %s says what is wrong, and names the field for programs alone",
  async (path, body, said) => {
    const { status, body: answer } = await person.post(path, body);
    expect([status, answer.code]).toEqual([400, "invalid_input"]);
    expect(answer.message).toMatch(said);
    expect(answer.details.field).not.toBe("");
  },
);

const junk = [
  undefined,
  null,
  "",
  "x".repeat(100_000),
  "\u0000",
  "@@",
  -1,
  0.5,
  1e300,
  Number.NaN,
  [],
  [null],
  Array.from({ length: 1_000 }, () => ({})),
  {},
  { other: 1 },
];

/** Words of schemas, in the languages of their library. */
const ofSchemas =
  /invalid|expected|received|string|number|object|array|boolean|undefined|null|chaîne|entrée|tableau|objet|motif|[<>=]/i;

test("no row answers in the words of its schema", () => {
  const said = new Set<string>();
  for (const { row } of everyRow()) {
    const shape = "shape" in row.input ? (row.input as z.ZodMiniObject).shape : {};
    for (const value of junk) {
      const input = Object.fromEntries(Object.keys(shape).map((name) => [name, value]));
      for (const issue of z.safeParse(row.input, input).error?.issues ?? []) {
        said.add(faultOf(issue, input));
      }
    }
  }
  expect(said.size).toBeGreaterThan(10);
  expect([...said].filter((fault) => ofSchemas.test(fault))).toEqual([]);
});
