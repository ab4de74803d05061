// Whose what a row is given by id: every such field of the contract × people of every kind, in the demo's
// scheme. Somebody else's id answers as an id that is nobody's, and changes nothing; one's own is reached.
// Beside it, what each role of a company is refused.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { companyRoles } from "#contract/companies/rows.ts";
import { pathParameters, type Row } from "#contract/endpoint.ts";
import { migrate } from "#server/db/migrate.ts";
import { embeddedRole } from "#server/db/runtime-role.ts";
import { fillDemo } from "#server/demo/demo.ts";
import {
  giveColleagues,
  giveThings,
  idFields,
  inputs,
  leastRoles,
  passedOver,
  reachedElsewhere,
  refusedAs,
  type Thing,
  things,
} from "./belongings.ts";
import { cast, type CastName } from "./cast.ts";
import { emptyDatabase } from "./cluster.ts";
import { callRow, inputSchema, sample, smallestInput } from "./row-calls.ts";
import {
  type Answered,
  type Client,
  openSession,
  openTestServer,
  type TestServer,
} from "./test-server.ts";

const companies = ["canteenProvider", "partnerShop", "employer"] as const satisfies CastName[];
const holders = ["guardian", "secondChild", "coGuardian", "stranger"] as const satisfies CastName[];

interface Caller {
  name: string;
  type: 1 | 2;
  cardnumber: number;
  personId: number;
  client: Client;
  /** The company that they act for, and as what. */
  company?: { name: (typeof companies)[number]; role: (typeof companyRoles)[number] };
}

let server: TestServer;
const callers: Caller[] = [];
const colleagues: Caller[] = [];

beforeAll(async () => {
  const database = await emptyDatabase();
  await migrate(database.url, { runtimeRole: embeddedRole });
  server = await openTestServer({}, undefined, database);
  await fillDemo(server.deps);
  for (const name of holders) callers.push(await callerOf(name, cast[name].cardnumber));
  for (const name of companies) {
    const company = { name, role: "owner" } as const;
    const owner = await callerOf(name, cast[name].cardnumber, company);
    const numbers = await giveColleagues(server, name);
    callers.push(owner);
    if (name === "employer") callers.push(await callerOf("carries a card", numbers.none));
    for (const role of ["accountant", "cashier"] as const)
      colleagues.push(await callerOf(`${role} of ${name}`, numbers[role], { name, role }));
    colleagues.push(owner);
  }
  await giveThings(server);
  const { rows: found } = await server.owner.pool.query(`
    select s.id as session, c.id as category, p.group_id as idgroup, t.service_id as service
    from ticket_session s join ticket_category c using (event_id), canteen_provider p, commuting_plan t
    where s.starts_at > now() order by s.starts_at desc limit 1`);
  Object.assign(anyones, found[0]);
});
afterAll(() => server.close());

async function callerOf(
  name: string,
  cardnumber: number,
  company?: Caller["company"],
): Promise<Caller> {
  const client = server.withToken(await openSession(server.deps, cardnumber));
  const { rows } = await server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cardnumber],
  );
  const type = cardnumber < 2_000_000_000 ? 1 : 2;
  return { name, type, cardnumber, personId: rows[0].id, client, ...(company && { company }) };
}

// ---- which fields of a row name something by id

const scopeFields: Partial<Record<Row["scope"], readonly string[]>> = {
  card: ["cardnumber"],
  wallet: ["objectID", "fromWallet"],
  top_up: ["id"],
  rule: ["ruleId"],
  link: ["linkId"],
  pass: ["pass"],
  pass_order: ["order"],
  subscription: ["id"],
  ticket: ["ticket"],
};
/** What stands in a scope's field, for the rows that are given somebody's thing beside it. */
const scopeThings: Partial<Record<Row["scope"], Thing>> = {
  pass: "pass",
  pass_order: "passOrder",
  subscription: "subscription",
};
/** Numbers and secrets that name something though their shape does not say so. */
const namesSomething = /(?:^|\.)(?:ids\[\]|idgroup|groups\[\]|secret|token|number)$/;

/** The id fields of a row beside that of its scope, which tests/access.test.ts is about. */
function idFieldsOf(row: Row): string[] {
  const found = new Set<string>(pathParameters(row.path));
  const look = (path: string, shape: Record<string, any>): void => {
    for (const choice of ["anyOf", "oneOf", "allOf"])
      for (const one of shape[choice] ?? []) look(path, one);
    for (const [name, one] of Object.entries<Record<string, any>>(shape["properties"] ?? {})) {
      const isProof = name === "passkey" || (name === "challenge" && row.access !== "public");
      if (!isProof) look(path ? `${path}.${name}` : name, one);
    }
    if (shape["items"]) look(`${path}[]`, shape["items"]);
    const isId = shape["format"] === "uuid" || shape["minimum"] === 1_000_000_000;
    if (isId || namesSomething.test(path)) found.add(path);
  };
  look("", inputSchema(row));
  return [...found].filter((path) => !scopeFields[row.scope]?.includes(path));
}

const rows = everyRow().filter(({ row }) => row.access !== "machine" && row.reply !== "events");

test("every id that a row is given is known to be somebody's, anyone's or a secret", () => {
  const found = rows.map(({ name, row }) => [name, idFieldsOf(row).toSorted()] as const);
  const known = Object.entries(idFields).map(([name, fields]) => [
    name,
    Object.keys(fields).toSorted(),
  ]);
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries(found.filter(([, fields]) => fields.length > 0)),
  );
});

// ---- calls with ids

interface Owned {
  id: string | number;
  whose: readonly number[];
}
/** What all may name, and a row needs to come to somebody's thing. */
const anyones: Record<string, unknown> = {};
const known = new Map<Thing, Owned[]>();
async function all(thing: Thing): Promise<Owned[]> {
  const before = known.get(thing);
  if (before) return before;
  const { rows: found } = await server.owner.pool.query<[string | number, (string | number)[]]>({
    text: things[thing],
    rowMode: "array",
  });
  const owned = found.map(([id, whose]) => ({ id, whose: whose.map(Number) }));
  known.set(thing, owned);
  return owned;
}
const ownOf = async (thing: Thing, { personId }: Caller) =>
  (await all(thing)).find(({ whose }) => whose.includes(personId))?.id;
const foreignTo = async (thing: Thing, { personId }: Caller) =>
  (await all(thing)).find(({ whose }) => !whose.includes(personId))?.id;

/** An id like the other, that nobody has. */
function nobodys(like: string | number): string | number {
  if (typeof like === "string") return "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b";
  return like < 1_000_000_000 ? 999_999_999 : 1_999_999_996;
}

/** Puts a value at a path like `meals[].registration`; what is on the way comes from the schema. */
function put(target: Record<string, any>, path: string, value: unknown, schema: any): void {
  const [head = "", ...rest] = path.split(".");
  const name = head.replace("[]", "");
  const [list, shape] = [head !== name, schema["properties"]?.[name] ?? {}];
  if (rest.length === 0) target[name] = list ? [value] : value;
  else {
    const inner = list ? shape["items"] : shape;
    const there = list ? target[name]?.[0] : target[name];
    const whole = { ...((there ?? sample(name, inner)) as object) };
    put(whole, rest.join("."), value, inner);
    target[name] = list ? [whole] : whole;
  }
}

interface Called {
  name: string;
  row: Row;
}

/** The row's smallest input with the caller's own things in it, or anybody's where they have none. */
async function ownInput({ name, row }: Called, caller: Caller): Promise<Record<string, unknown>> {
  const objectID = await ownOf("wallet", caller);
  const given: Record<string, unknown> = {
    ...anyones,
    cardnumber: caller.cardnumber,
    objectID,
    fromWallet: objectID,
    ...inputs[name],
  };
  const scoped = scopeThings[row.scope];
  for (const field of (scoped && scopeFields[row.scope]) ?? [])
    given[field] = (await ownOf(scoped as Thing, caller)) ?? given[field];
  const input = { ...smallestInput(row, given), ...inputs[name] };
  const schema = inputSchema(row);
  for (const [field, thing] of thingFields(name)) {
    const required =
      pathParameters(row.path).includes(field) ||
      (schema["required"] ?? []).includes(field.split(/\W/)[0]);
    const id = (await ownOf(thing, caller)) ?? (await all(thing))[0]?.id;
    if (required && id !== undefined) put(input, field, id, schema);
  }
  return structuredClone(input);
}

const thingFields = (name: string): [string, Thing][] =>
  Object.entries(idFields[name] ?? {}).filter((one): one is [string, Thing] => one[1] in things);

const mayCall = ({ access }: Row, { type }: Caller): boolean =>
  access !== "public" &&
  !(access === "holder" && type !== 1) &&
  !(access === "professional" && type !== 2);

/** What the caller names anew at each call, as « made » in what comes back. */
async function callWith(called: Called, caller: Caller, field: string, id: unknown) {
  const { name, row } = called;
  const input = await ownInput(called, caller);
  const schema = inputSchema(row);
  const made = randomUUID();
  for (const [one, kind] of Object.entries(idFields[name] ?? {}))
    if (kind === "named" && (one.split(/\W/)[0] ?? "") in input) put(input, one, made, schema);
  put(input, field, id, schema);
  const answer = await callRow(caller.client, row, input);
  return { ...answer, text: answer.text.replaceAll(made, "made") };
}

/** What an answer says, whichever request it answers. */
const said = ({ status, body, text }: Answered): string =>
  `${status} ${"code" in body ? JSON.stringify({ ...body, requestId: "" }) : text}`;

const isRefused = (name: string, { status, body }: Answered): boolean =>
  status === 404 ||
  ["company_missing", refusedAs[name] ?? "not_found"].includes(String(body["code"]));

const withThings = rows.filter(
  ({ name, row }) => row.access !== "public" && thingFields(name).length > 0,
);

/** A figure of all that stands in each table, but for what the caller's own doing leaves (`passedOver`). */
async function contents(): Promise<Record<string, string>> {
  const { pool } = server.owner;
  const { rows: tables } = await pool.query<{
    name: string;
  }>(`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('limiter', 'contact_draft', 'meal_scan')`);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const figure = `select sum(hashtextextended(t::text, 0))::text as of from ${name} t`;
    found[name] = (await pool.query<{ of: string }>(figure)).rows[0]?.of ?? "";
  }
  return found;
}

describe("somebody else's", () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await contents();
  });

  test.each(withThings)("$name", async (called) => {
    for (const [field, thing] of thingFields(called.name)) {
      const isPassedOver = passedOver.includes(`${called.name} ${field}`);
      let refused = 0;
      for (const caller of callers.filter((one) => mayCall(called.row, one))) {
        const id = await foreignTo(thing, caller);
        if (id === undefined) continue;
        const theirs = await callWith(called, caller, field, id);
        const none = await callWith(called, caller, field, nobodys(id));
        expect(said(theirs), `${field} of ${caller.name}`).toBe(said(none));
        if (isRefused(called.name, theirs)) refused += 1;
        else if (!isPassedOver)
          expect(theirs.status, `${field} of ${caller.name}`).toBeGreaterThan(400);
      }
      // Refused for whose it is, and not for something else that was asked before.
      if (!isPassedOver) expect(refused, `${field} was never looked at`).toBeGreaterThan(0);
    }
  });

  test("what was refused has changed nothing", async () => {
    expect(await contents()).toEqual(before);
  });
});

describe("one's own", () => {
  /** What ends a thing comes after what only changes it, and that after what reads it. */
  const turn = ({ row: { method, path } }: Called): number => {
    if (method === "GET") return 0;
    if (/(?:accept|decline|answer)$/.test(path)) return 2;
    return /(?:withdraw|cancel|discard|delete|remove|forget|end|leave)$/.test(path) ? 3 : 1;
  };
  const inTurn = withThings
    .filter(({ name }) => !(name in reachedElsewhere))
    .toSorted((one, other) => turn(one) - turn(other));
  test.each(inTurn)("$name", async (called) => {
    for (const [field, thing] of thingFields(called.name)) {
      known.clear();
      const answers: string[] = [];
      let reached = false;
      for (const caller of callers.filter((one) => mayCall(called.row, one))) {
        const id = await ownOf(thing, caller);
        if (id === undefined || reached) continue;
        const mine = await callWith(called, caller, field, id);
        answers.push(`${caller.name}: ${said(mine).slice(0, 300)}`);
        reached =
          mine.status < 500 &&
          !isRefused(called.name, mine) &&
          !["invalid_input", "forbidden"].includes(String(mine.body["code"]));
      }
      expect(reached, `${field} reached by nobody: ${answers.join("\n")}`).toBe(true);
    }
  });
});

describe("roles of a company", () => {
  const least = new Map<string, string>(
    Object.entries(leastRoles).flatMap(([role, rooms]) =>
      Object.entries(rooms).flatMap(([room, names]) =>
        names.map((name) => [`${room}.${name}`, role] as const),
      ),
    ),
  );
  const ofProfessionals = rows.filter(({ row }) => row.access === "professional");
  const ranks = ["none", ...companyRoles.toReversed()];
  const atShop = new Set(["till", "partners", "settlement", "partnerships", "tickets", "passes"]);
  const companyFor = (name: string) => {
    const room = name.split(".")[0] ?? "";
    if (room === "canteen") return "canteenProvider";
    return atShop.has(room) ? "partnerShop" : "employer";
  };

  test("every row for professionals says which role it takes", () => {
    expect([...least.keys()].toSorted()).toEqual(
      ofProfessionals.map(({ name }) => name).toSorted(),
    );
  });

  test.each(ofProfessionals)("$name", async (called) => {
    const wanted = ranks.indexOf(least.get(called.name) ?? "");
    known.clear();
    const carrier = callers.filter(({ name }) => name === "carries a card");
    const ofCompany = colleagues.filter(({ company }) => company?.name === companyFor(called.name));
    for (const caller of [...carrier, ...ofCompany]) {
      const rank = ranks.indexOf(caller.company?.role ?? "none");
      const { status, body, text } = await callRow(
        caller.client,
        called.row,
        await ownInput(called, caller),
      );
      const code = String(body["code"]);
      if (rank >= wanted) {
        expect(status, text).toBeLessThan(500);
        expect(["company_role", "company_missing", "forbidden", "invalid_input"]).not.toContain(
          code,
        );
      } else if (rank > 0) expect(code, caller.name).toBe("company_role");
      else expect(["company_missing", "not_found"], caller.name).toContain(code);
    }
  });
});
