// The demo with callers of every kind, and each row's input with their own resources in it: for the tests of
// what belongs to somebody else, and of what a refusal leaves behind.
import { randomUUID } from "node:crypto";
import { companyRoles } from "#contract/companies/roles.ts";
import { idFieldsOf, pathParameters, type Row } from "#contract/endpoint.ts";
import type { OwnedResource } from "#contract/resource-kinds.ts";
import { migrate } from "#server/db/migrate.ts";
import { embeddedRole } from "#server/db/runtime-role.ts";
import { fillDemo } from "#server/demo/demo.ts";
import { inputs, resources } from "./owned-resources.ts";
import { cast, type CastName } from "./cast.ts";
import { emptyDatabase } from "./cluster.ts";
import {
  type Colleague,
  giveColleagues,
  giveFamily,
  createDemoResources,
} from "./demo-resources.ts";
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
  /** Why no row, or few, are for them. */
  barred?: "signed out" | "disabled" | "reset pending";
  /** Who once was, or almost is, theirs: a former child, a sibling, the company that let them go. */
  near?: readonly number[];
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
  /** These and whoever has lost a right, or never had one. */
  everybody: Caller[];
  /** The resources of one kind, the likeliest to be of use first; read once until `readAgain`. */
  all(thing: OwnedResource): Promise<readonly Owned[]>;
  readAgain(): void;
  ownOf(thing: OwnedResource, caller: Caller): Promise<string | number | undefined>;
  /** Resources that are not the caller's: whatever they are, and those of people near to them. */
  foreignTo(thing: OwnedResource, caller: Caller): Promise<(string | number)[]>;
  /** The row's smallest input with the caller's own resources in it, or anybody's where they have none. */
  ownInput(called: Called, caller: Caller): Promise<Record<string, unknown>>;
  /** The same with a value in one field. */
  inputWith(
    called: Called,
    caller: Caller,
    override: [field: string, value: unknown],
  ): Promise<Record<string, unknown>>;
  /** Calls the row with `value` in one field. What the caller names anew at each call is « made » in what comes back. */
  callWith(
    called: Called,
    caller: Caller,
    field: string,
    value: unknown,
  ): ReturnType<typeof callRow>;
}

/** Opens the demo in a database of its own; the caller closes its server. */
export async function openDemoCallers(): Promise<DemoCallers> {
  const database = await emptyDatabase();
  await migrate(database.url, { runtimeRole: embeddedRole });
  const server = await openTestServer({}, undefined, database);
  await fillDemo(server.deps);
  const { pool } = server.owner;
  const around = await giveFamily(server);
  const callers: Caller[] = [];
  const others: Caller[] = [];
  for (const name of holders) callers.push(await callerOf(server, name, cast[name].cardnumber));
  const colleagues: Caller[] = [];
  for (const name of companies) {
    const numbers = await giveColleagues(server, name);
    const of = async (who: Colleague, as: string) =>
      await callerOf(server, `${as} ${name}`, numbers[who]);
    const owner = await callerOf(server, name, cast[name].cardnumber);
    owner.company = { name, role: "owner" };
    callers.push(owner);
    for (const role of companyRoles)
      if (role !== "owner")
        colleagues.push({ ...(await of(role, `${role} of`)), company: { name, role } });
    colleagues.push(owner);
    const removed = { ...(await of("removed", "let go by")), near: [owner.personId] };
    // Their session is older than what was taken away from them.
    await pool.query("delete from company_member where person_id = $1", [removed.personId]);
    const bearer = await of("none", "carries a card of");
    if (name === "employer") callers.push(bearer);
    else others.push(bearer);
    others.push(removed);
  }
  const [guardian, child, other] = callers as [Caller, Caller, Caller];
  const relative = await callerOf(server, "relative", around.relative);
  const former = await callerOf(server, "former guardian", around.former);
  await actForChild(former, child.cardnumber);
  await pool.query("delete from family_tie where guardian_id = $1", [former.personId]);
  const near = [guardian.personId, child.personId];
  for (const one of [relative, former]) others.push({ ...one, near });
  other.near = [child.personId];
  child.near = [guardian.personId];
  others.push(...(await barredCallers(server)));
  await createDemoResources(server);
  const { rows: found } = await pool.query(`
    select s.id as session, s.event_id as event, c.id as category, p.group_id as idgroup,
      t.service_id as service,
      f.group_id as "group", 'lagon-jour' as product
    from ticket_session s join ticket_category c using (event_id), canteen_provider p, commuting_plan t,
      fare_group f
    where s.starts_at > now() order by s.starts_at desc limit 1`);
  const everybody = [...new Set([...callers, ...colleagues, ...others])];
  return { server, callers, colleagues, everybody, ...inputsOf(server, found[0]) };
}

async function callerOf(server: TestServer, name: string, cardnumber: number): Promise<Caller> {
  const client = server.withToken(await openSession(server.deps, cardnumber));
  const { rows } = await server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cardnumber],
  );
  const type = cardnumber < 2_000_000_000 ? 1 : 2;
  return { name, type, cardnumber, personId: rows[0].id, client };
}

/** What a guardian leaves behind when the tie with a child ends. */
async function actForChild({ client }: Caller, cardnumber: number): Promise<void> {
  const wallets = (await client.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items;
  const { objectID } = wallets[0];
  const answers = [
    await client.post(`/api/wallets/${objectID}/top-ups`, { amountCents: 2000 }),
    await client.post("/api/passes/orders", { product: "lagon-jour", cardnumber }),
  ];
  for (const { status, text } of answers) if (status >= 400) throw new Error(text);
}

/** Nobody, and people whose session opens nothing or little. */
async function barredCallers(server: TestServer): Promise<Caller[]> {
  const { pool } = server.owner;
  const { anonymous: client } = server;
  const nobody = { name: "nobody", type: 1, cardnumber: cast.disabled.cardnumber } as const;
  const setDisabled = (at: string) =>
    pool.query(
      `update person set disabled_at = ${at}
       where id = (select person_id from card where number = $1)`,
      [cast.disabled.cardnumber],
    );
  await setDisabled("null");
  const disabled = await callerOf(server, "disabled", cast.disabled.cardnumber);
  await setDisabled("now()");
  const reset = await callerOf(server, "reset pending", cast.resetPending.cardnumber);
  return [
    { ...nobody, personId: 0, client, barred: "signed out" },
    { ...disabled, barred: "disabled" },
    { ...reset, barred: "reset pending" },
  ];
}

/** The fields of a row that name a resource of somebody. */
export const resourceFields = (row: Row): [string, OwnedResource][] =>
  Object.entries(idFieldsOf(row)).filter(
    (one): one is [string, OwnedResource] => one[1] in resources,
  );

/** Whether the row is for callers of this type. */
export const mayCall = ({ access }: Row, { type }: Caller): boolean =>
  access !== "public" &&
  !(access === "holder" && type !== 1) &&
  !(access === "professional" && type !== 2);

/** `anyones`: what all may name, and a row needs to come to somebody's thing. */
function inputsOf(server: TestServer, anyones: Record<string, unknown>) {
  const known = new Map<OwnedResource, Owned[]>();
  async function all(thing: OwnedResource): Promise<Owned[]> {
    const before = known.get(thing);
    if (before) return before;
    const { rows: found } = await server.owner.pool.query<[string | number, (string | number)[]]>({
      text: resources[thing],
      rowMode: "array",
    });
    const owned = found.map(([id, whose]) => ({ id, whose: whose.map(Number) }));
    known.set(thing, owned);
    return owned;
  }
  const ownOf = async (thing: OwnedResource, { personId }: Caller) =>
    (await all(thing)).find(({ whose }) => whose.includes(personId))?.id;
  const foreignTo = async (thing: OwnedResource, { personId, near = [] }: Caller) => {
    const foreign = (await all(thing)).filter(({ whose }) => !whose.includes(personId));
    const close = foreign.find(({ whose }) => near.some((one) => whose.includes(one)));
    return [...new Set([foreign[0], close].flatMap((one) => one?.id ?? []))];
  };

  async function ownInput({ name, row }: Called, caller: Caller): Promise<Record<string, unknown>> {
    const objectID = await ownOf("wallet", caller);
    const values: Record<string, unknown> = {
      ...anyones,
      cardnumber: caller.cardnumber,
      objectID,
      fromWallet: objectID,
      ...inputs[name],
    };
    const input = { ...smallestInput(row, values), ...inputs[name] };
    const schema = inputSchema(row);
    for (const [field, thing] of resourceFields(row)) {
      const required =
        pathParameters(row.path).includes(field) ||
        (schema["required"] ?? []).includes(field.split(/\W/)[0]);
      const id = (await ownOf(thing, caller)) ?? (await all(thing))[0]?.id;
      if (required && id !== undefined) put(input, field, id, schema);
    }
    return structuredClone(input);
  }

  async function inputWith(
    called: Called,
    caller: Caller,
    [field, value]: [string, unknown],
    made = randomUUID(),
  ) {
    const { row } = called;
    const input = await ownInput(called, caller);
    const schema = inputSchema(row);
    for (const [one, kind] of Object.entries(idFieldsOf(row)))
      if (kind === "new" && (one.split(/\W/)[0] ?? "") in input) put(input, one, made, schema);
    put(input, field, value, schema);
    return input;
  }

  async function callWith(called: Called, caller: Caller, field: string, value: unknown) {
    const made = randomUUID();
    const input = await inputWith(called, caller, [field, value], made);
    const answer = await callRow(caller.client, called.row, input);
    return { ...answer, text: answer.text.replaceAll(made, "made") };
  }

  return { all, readAgain: () => known.clear(), ownOf, foreignTo, ownInput, inputWith, callWith };
}

/** Puts a value, or several into a list, at a path like `meals[].registration`; what is on the way comes from the schema. */
function put(target: Record<string, any>, path: string, value: unknown, schema: any): void {
  const [head = "", ...rest] = path.split(".");
  const name = head.replace("[]", "");
  const [isList, shape] = [head !== name, schema["properties"]?.[name] ?? {}];
  const inner = isList ? shape["items"] : shape;
  const there = isList ? target[name]?.[0] : target[name];
  const filled = (isList && Array.isArray(value) ? value : [value]).map((one: unknown) => {
    if (rest.length === 0) return one;
    const whole = structuredClone((there ?? sample(name, inner)) as object);
    put(whole, rest.join("."), one, inner);
    return whole;
  });
  target[name] = isList ? filled : filled[0];
}
