// The portal that is fuzzed: a server on a clone of the template, every kind of caller signed in, what
// each has seen of its own, and what must come back as it was.
import type { AddressInfo } from "node:net";
import { everyRow } from "#contract/api.ts";
import { pathParameters, type Row } from "#contract/endpoint.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { isPicked, type Picked } from "./values.ts";

/**
 * Every kind of caller, as in the permission table; `sees` is who else may stand in its answers,
 * `hears` whose name may: a brother who sends money, a sister in the statement of a child.
 */
export const callers = [
  { name: "anonymous", person: null, sees: [], hears: [] },
  { name: "owner", person: "secondChild", sees: ["guardian"], hears: ["child"] },
  {
    name: "guardian of the owner",
    person: "guardian",
    sees: ["child", "secondChild", "coGuardian"],
    hears: [],
  },
  { name: "other holder", person: "stranger", sees: [], hears: [] },
  {
    name: "co-guardian of a sibling",
    person: "coGuardian",
    sees: ["child", "guardian"],
    hears: ["secondChild"],
  },
  // The children are registered at its canteen.
  {
    name: "professional",
    person: "canteenProvider",
    sees: ["child", "secondChild"],
    hears: [],
  },
  { name: "other professional", person: "partnerShop", sees: [], hears: [] },
  { name: "reset pending", person: "resetPending", sees: [], hears: [] },
  { name: "disabled", person: "employer", sees: [], hears: [] },
] as const satisfies {
  name: string;
  person: CastName | null;
  sees: readonly CastName[];
  hears: readonly CastName[];
}[];
export type CallerKind = (typeof callers)[number];

/** Words that tell of somebody else, and whether a refusal may repeat them when they were sent. */
export interface Marker {
  of: CastName;
  text: string;
  repeated: boolean;
}

export interface FuzzTarget {
  server: TestServer;
  tokens: string[];
  /** Texts that must never be in an answer to each caller. */
  markers: Marker[][];
  /** Puts the portal's own values in the place of the picked ones. */
  fill<T>(value: T, caller: number, row: Row): T;
  /** Keeps the ids of an answer for later requests of the same caller. */
  harvest(caller: number, row: Row, body: unknown): void;
  /** Sessions, persons, cards and wallets as they were: the next request finds them whole. */
  putBack(): Promise<void>;
  /** Returns what is wrong with the database at the end, then closes it. */
  close(): Promise<string[]>;
}

/**
 * Opens the server, listening on a port of its own; the caller closes it. Needs a cluster
 * (`ownCluster`, or the test runner's).
 */
export async function openFuzzTarget(): Promise<FuzzTarget> {
  // Answers are judged from outside: it must not catch its own faults first.
  const server = await openTestServer({ checkAnswers: false, walletCapCents: 100_000_000 });
  await makeCanteen(server, { weekdays: [0, 1, 2, 3, 4, 5, 6], classes: [] });
  // A sheet is public: its name must not be the one by which an account is recognized.
  await server.deps.pool.query("update partner set name = 'Cuisine centrale'");
  const tokens = await Promise.all(
    callers.map(async ({ person }) => (person ? (await server.as(person)).token : "")),
  );
  await disable(server, "employer");
  // The sandbox provider tells its events to the portal's own address.
  server.deps.config.publicUrl = await listening(server);
  const restore = await keep(server);
  const [seen, anyone] = [callers.map(() => new Map<string, string[]>()), new Set<string>()];
  let turns = 0;
  const target: FuzzTarget = {
    server,
    tokens,
    markers: await markersOf(server),
    fill: (value, caller, row) =>
      filled(value, (picked) => pick(picked, { server, caller, row, seen, anyone })) as never,
    harvest: (caller, row, body) => gather(body, row, seen[caller] as Map<string, string[]>),
    async putBack() {
      await restore();
      if (turns++ % 10 === 0) for (const id of await idsOf(server)) anyone.add(id);
      server.outbox.splice(0, Math.max(0, server.outbox.length - 40));
    },
    async close() {
      const wrong = await wrongWith(server, bystander);
      await server.close();
      return wrong;
    },
  };
  await prime(target);
  const bystander = await standOf(server, cast.disabled.cardnumber);
  await target.putBack();
  return target;
}

async function listening({ app }: TestServer): Promise<string> {
  await app.listen({ port: 0, host: "localhost" });
  return `http://localhost:${(app.server.address() as AddressInfo).port}`;
}

async function disable({ deps }: TestServer, name: CastName): Promise<void> {
  await deps.pool.query(
    "update person set disabled_at = now() where id = (select person_id from card where number = $1)",
    [cast[name].cardnumber],
  );
}

/** Gives each caller something of its own: its wallets, its lists, a top-up. */
async function prime(target: FuzzTarget): Promise<void> {
  for (const [caller, { person }] of callers.entries()) {
    if (!person) continue;
    const client = target.server.withToken(target.tokens[caller] as string);
    const lists = everyRow().filter(
      ({ row: { method, reply, access, path } }) =>
        method === "GET" && !reply && access !== "public" && pathParameters(path).length === 0,
    );
    for (const { row } of lists) {
      const { body, status } = await client.get(
        `${row.path}?cardnumber=${cast[person].cardnumber}`,
      );
      if (status !== 200) continue;
      target.harvest(caller, row, body);
      const wallet = body.items?.[0]?.objectID;
      if (!row.path.endsWith("/wallets") || !wallet) continue;
      for (const topUps of everyRow().filter(({ name }) => name === "payments.startTopUp")) {
        const path = topUps.row.path.replace(":objectID", wallet);
        target.harvest(caller, topUps.row, (await client.post(path, { amountCents: 2000 })).body);
      }
    }
  }
}

// ---- what comes back as it was

const restoredTables = ["person", "card", "wallet", "session"];

async function keep({ owner: { pool } }: TestServer): Promise<() => Promise<void>> {
  const steps = [
    "delete from limiter",
    "delete from card where number not in (select number from prior_card)",
    "delete from family_invitation",
    "delete from member_limit",
    "delete from first_card_request",
    "delete from custody",
    "delete from proof",
    "update contact_message set at = at - interval '2 hours' where author_id is not null",
    "update contact_thread set state = 'closed' where number % 3 > 0",
  ];
  for (const table of restoredTables) {
    const { rows } = await pool.query<{ column_name: string }>(
      `select column_name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and column_name not in ('id', 'number')
          and is_generated = 'NEVER' and is_identity = 'NO'`,
      [table],
    );
    const names = rows.map((row) => row.column_name);
    await pool.query(`create unlogged table prior_${table} as select * from ${table}`);
    const key = table === "card" ? "number" : "id";
    const row = (of: string) => `(${names.map((name) => `${of}.${name}`).join(", ")})`;
    steps.push(`update ${table} t set (${names.join(", ")}) = ${row("k")} from prior_${table} k
      where k.${key} = t.${key} and ${row("k")} is distinct from ${row("t")}`);
  }
  return async () => {
    await pool.query(steps.join(";\n"));
  };
}

// ---- the content of requests

interface Choice {
  server: TestServer;
  caller: number;
  row: Row;
  seen: Map<string, string[]>[];
  anyone: Set<string>;
}

function filled(value: unknown, choose: (picked: Picked) => unknown): unknown {
  if (isPicked(value)) return choose(value);
  if (Array.isArray(value)) return value.map((one) => filled(one, choose));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, filled(one, choose)]),
  );
}

function pick(picked: Picked, choice: Choice): unknown {
  const { person, sees } = callers[choice.caller] as CallerKind;
  const family = person ? [person, ...sees] : [];
  const of = <T>(values: readonly T[]): T => values[picked.at % values.length] as T;
  switch (picked.$pick) {
    case "card": {
      const names = picked.own && family.length > 0 ? family : (Object.keys(cast) as CastName[]);
      return cast[of(names)].cardnumber;
    }
    case "password":
      return castPassword;
    case "email":
      return (person && cast[person].email) ?? "moi@exemple.fr";
    case "code":
      return of(["000000", ...choice.server.outbox.slice(-8).map(({ body }) => codeIn(body))]);
    default:
      return of(idsFor(picked, choice));
  }
}

export const codeIn = (body: string): string => /\b(\d{6})\b/.exec(body)?.[1] ?? "123456";

/** Ids of the caller's own that suit the place best, or ids of anyone. */
function idsFor({ own, field, at }: Picked, { caller, row, seen, anyone }: Choice): string[] {
  // Ids that a device chooses itself (a charge without network, a scan) come back in the answer: with
  // somebody else's id, the answers would seem to be about somebody else.
  if (field === "id" && !pathParameters(row.path).includes(field)) {
    const made = `00000000-0000-4000-8000-${String(at % 100).padStart(12, "0")}`;
    return (own && seen[caller]?.get(`${row.path.split("/").at(-1)}/id`)) || [made];
  }
  const known = [...anyone, "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b"];
  if (!own) return known;
  const before = row.path.split(`/:${field}`)[0]?.split("/").at(-1) ?? "";
  // A wallet is `objectID` in its own rows, and told by what it does in others.
  const name = /wallet$/i.test(field) ? "objectID" : field;
  // A public row has no caller with ids of its own: it borrows those of the others.
  const bag = seen[row.access === "public" ? at % seen.length : caller];
  const place = name === field ? before : "wallets";
  // `own/:canteen` is an id that `own` answers.
  const mine = bag?.get(`${place}/${name}`) ?? bag?.get(name) ?? bag?.get(`${place}/id`);
  // A place that no answer has named yet: anything of the caller's own may suit it.
  return mine ?? (at % 2 ? [...(bag?.values() ?? [])].flat().concat(known) : known);
}

const uuid = /(?:([\w-]+)\/)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/;

function gather(value: unknown, row: Row, bag: Map<string, string[]>, name = ""): void {
  if (Array.isArray(value)) for (const one of value) gather(one, row, bag, name);
  else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value)) gather(one, row, bag, key);
  } else {
    const [, before, id] = (typeof value === "string" && uuid.exec(value)) || [];
    if (!id) return;
    const parts = row.path.split("/").filter((part) => part && !part.startsWith(":"));
    const places = parts.map((part) => `${part}/${name}`);
    // An address in an answer says itself which row its id belongs to.
    for (const place of before ? [`${before}/id`] : [name, ...places]) {
      const ids = bag.get(place) ?? [];
      if (!ids.includes(id)) bag.set(place, [...ids.slice(-19), id]);
    }
  }
}

/** The latest ids of every table that has some, whosever they are. */
async function idsOf({ deps: { pool } }: TestServer): Promise<string[]> {
  const { rows } = await pool.query<{ query: string }>(`
    select string_agg(format('(select %I::text as id from %I order by ctid desc limit 12)',
      column_name, table_name), ' union ') as query
    from information_schema.columns
    where table_schema = 'public' and data_type = 'uuid' and table_name not like 'prior\\_%'`);
  const ids = await pool.query<{ id: string | null }>(rows[0]?.query ?? "select null as id");
  return ids.rows.flatMap(({ id }) => id ?? []).sort();
}

// ---- what must not be seen, and what must hold

async function markersOf({ deps: { pool } }: TestServer): Promise<Marker[][]> {
  const { rows } = await pool.query<{ number: string; objects: string[] }>(`
    select c.number::text, array_agg(w.object_id::text) || array_agg(p.object_id::text) as objects
    from card c join person p on p.id = c.person_id join wallet w on w.person_id = p.id group by 1`);
  const objects = new Map(rows.map((row) => [Number(row.number), row.objects]));
  return callers.map(({ person, sees, hears }) =>
    (Object.keys(cast) as CastName[])
      .filter((name) => name !== person)
      .flatMap((of) => {
        const { name, email, phonenumber, cardnumber } = cast[of];
        const near = (sees as readonly CastName[]).includes(of);
        // Of the family, one knows the name and the card; how to reach them is theirs to tell.
        const secret = [email, phonenumber].filter((text) => text !== null);
        const named = near || (hears as readonly CastName[]).includes(of) ? [] : [name];
        const ids = near ? [] : [String(cardnumber), ...(objects.get(cardnumber) ?? [])];
        return [
          ...[...secret, ...named].map((text) => ({ of, text, repeated: false })),
          ...ids.map((text) => ({ of, text, repeated: true })),
        ];
      }),
  );
}

/** All that belongs to somebody who never calls. */
async function standOf({ deps: { pool } }: TestServer, cardnumber: number): Promise<string> {
  const { rows } = await pool.query<{ stand: string }>(
    `select jsonb_build_array(to_jsonb(p), to_jsonb(c), (select jsonb_agg(to_jsonb(w) || to_jsonb(a))
        from wallet w join wallet_lot l on l.wallet_id = w.id
        join ledger_account a on a.id = l.account_id where w.person_id = p.id))::text as stand
      from person p join card c on c.person_id = p.id where c.number = $1`,
    [cardnumber],
  );
  return rows.map(({ stand }) => stand).join();
}

async function wrongWith(server: TestServer, bystander: string): Promise<string[]> {
  const wrong: string[] = [];
  const audit = await verify(server.deps.db);
  for (const { ok, name, example } of audit.checks) {
    if (!ok) wrong.push(`the ledger does not hold: ${name} (${example})`);
  }
  if ((await standOf(server, cast.disabled.cardnumber)) !== bystander) {
    wrong.push("somebody who never called is not as before");
  }
  return wrong;
}
