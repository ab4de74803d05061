// The demo with callers of every kind, and each row's input with their own things in it: for the tests of what
// is somebody else's, and of what a refusal leaves behind.
import { randomUUID } from "node:crypto";
import { companyRoles } from "#contract/companies/roles.ts";
import { idFieldsOf, pathParameters, type Row } from "#contract/endpoint.ts";
import type { OwnedThing } from "#contract/things.ts";
import { migrate } from "#server/db/migrate.ts";
import { embeddedRole } from "#server/db/runtime-role.ts";
import { fillDemo } from "#server/demo/demo.ts";
import { giveColleagues, giveThings, inputs, things } from "./belongings.ts";
import { cast, type CastName } from "./cast.ts";
import { emptyDatabase } from "./cluster.ts";
import { callRow, inputSchema, sample, smallestInput } from "./row-calls.ts";
import { type Client, openSession, openTestServer, type TestServer } from "./test-server.ts";

const companies = ["canteenProvider", "partnerShop", "employer"] as const satisfies CastName[];
const holders = ["guardian", "secondChild", "coGuardian", "stranger"] as const satisfies CastName[];

export interface Caller {
  name: string;
  type: 1 | 2;
  cardnumber: number;
  personId: number;
  client: Client;
  /** The company that they act for, and as what. */
  company?: { name: (typeof companies)[number]; role: (typeof companyRoles)[number] };
}

/** A row of the contract with its name. */
export interface Called {
  name: string;
  row: Row;
}

interface Owned {
  id: string | number;
  whose: readonly number[];
}

export interface DemoCallers {
  server: TestServer;
  /** Holders, owners of companies, and a professional number without a role. */
  callers: Caller[];
  /** Of each company somebody of every role. */
  colleagues: Caller[];
  /** The things of one kind, the likeliest to be of use first; read once until `readAgain`. */
  all(thing: OwnedThing): Promise<readonly Owned[]>;
  readAgain(): void;
  ownOf(thing: OwnedThing, caller: Caller): Promise<string | number | undefined>;
  foreignTo(thing: OwnedThing, caller: Caller): Promise<string | number | undefined>;
  /** The row's smallest input with the caller's own things in it, or anybody's where they have none. */
  ownInput(called: Called, caller: Caller): Promise<Record<string, unknown>>;
  /** The same with `id` in one field. What the caller names anew at each call is « made » in what comes back. */
  callWith(called: Called, caller: Caller, field: string, id: unknown): ReturnType<typeof callRow>;
}

/** Opens the demo in a database of its own; the caller closes its server. */
export async function openDemoCallers(): Promise<DemoCallers> {
  const database = await emptyDatabase();
  await migrate(database.url, { runtimeRole: embeddedRole });
  const server = await openTestServer({}, undefined, database);
  await fillDemo(server.deps);
  const callers: Caller[] = [];
  const colleagues: Caller[] = [];
  for (const name of holders) callers.push(await callerOf(server, name, cast[name].cardnumber));
  for (const name of companies) {
    const company = { name, role: "owner" } as const;
    const owner = await callerOf(server, name, cast[name].cardnumber, company);
    const numbers = await giveColleagues(server, name);
    callers.push(owner);
    if (name === "employer") callers.push(await callerOf(server, "carries a card", numbers.none));
    for (const role of companyRoles)
      if (role !== "owner")
        colleagues.push(
          await callerOf(server, `${role} of ${name}`, numbers[role], { name, role }),
        );
    colleagues.push(owner);
  }
  await giveThings(server);
  const { rows: found } = await server.owner.pool.query(`
    select s.id as session, c.id as category, p.group_id as idgroup, t.service_id as service
    from ticket_session s join ticket_category c using (event_id), canteen_provider p, commuting_plan t
    where s.starts_at > now() order by s.starts_at desc limit 1`);
  return { server, callers, colleagues, ...inputsOf(server, found[0]) };
}

async function callerOf(
  server: TestServer,
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

/** The fields of a row in which somebody's thing is named. */
export const thingFields = (row: Row): [string, OwnedThing][] =>
  Object.entries(idFieldsOf(row)).filter((one): one is [string, OwnedThing] => one[1] in things);

/** Whether the row is for callers of this type. */
export const mayCall = ({ access }: Row, { type }: Caller): boolean =>
  access !== "public" &&
  !(access === "holder" && type !== 1) &&
  !(access === "professional" && type !== 2);

/** `anyones`: what all may name, and a row needs to come to somebody's thing. */
function inputsOf(server: TestServer, anyones: Record<string, unknown>) {
  const known = new Map<OwnedThing, Owned[]>();
  async function all(thing: OwnedThing): Promise<Owned[]> {
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
  const ownOf = async (thing: OwnedThing, { personId }: Caller) =>
    (await all(thing)).find(({ whose }) => whose.includes(personId))?.id;
  const foreignTo = async (thing: OwnedThing, { personId }: Caller) =>
    (await all(thing)).find(({ whose }) => !whose.includes(personId))?.id;

  async function ownInput({ name, row }: Called, caller: Caller): Promise<Record<string, unknown>> {
    const objectID = await ownOf("wallet", caller);
    const given: Record<string, unknown> = {
      ...anyones,
      cardnumber: caller.cardnumber,
      objectID,
      fromWallet: objectID,
      ...inputs[name],
    };
    const input = { ...smallestInput(row, given), ...inputs[name] };
    const schema = inputSchema(row);
    for (const [field, thing] of thingFields(row)) {
      const required =
        pathParameters(row.path).includes(field) ||
        (schema["required"] ?? []).includes(field.split(/\W/)[0]);
      const id = (await ownOf(thing, caller)) ?? (await all(thing))[0]?.id;
      if (required && id !== undefined) put(input, field, id, schema);
    }
    return structuredClone(input);
  }

  async function callWith(called: Called, caller: Caller, field: string, id: unknown) {
    const { row } = called;
    const input = await ownInput(called, caller);
    const schema = inputSchema(row);
    const made = randomUUID();
    for (const [one, kind] of Object.entries(idFieldsOf(row)))
      if (kind === "new" && (one.split(/\W/)[0] ?? "") in input) put(input, one, made, schema);
    put(input, field, id, schema);
    const answer = await callRow(caller.client, row, input);
    return { ...answer, text: answer.text.replaceAll(made, "made") };
  }

  return { all, readAgain: () => known.clear(), ownOf, foreignTo, ownInput, callWith };
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
