// Fixture of the measurements: a durable database of its own, families with money, and a real server.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { isCardnumber } from "#contract/endpoint.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { cast, castInto, castPassword } from "#tests/cast.ts";

const families = 256;
const children = 4;
const openingCents = 10_000_000;

export interface Family {
  cardnumber: number;
  /** Wallets of the children: transfers go from and to them. */
  wallets: string[];
  cards: number[];
}
export interface Fixture {
  dataDir: string;
  families: Family[];
  hotCard: number;
  hotAccount: number;
  /** Accounts of purchased money of all children. */
  accounts: number[];
}

/** Makes the database and stops it again, so that a server started on it starts cold. */
export async function makeFixture(): Promise<Fixture> {
  const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-goals-"));
  const embedded = await startEmbedded({ dataDir });
  try {
    await migrate(embedded.url);
    await castInto(embedded.url);
    const pool = new Pool({ connectionString: embedded.url, max: 1 });
    const fixture = await fill(pool, dataDir);
    await pool.query("vacuum analyze");
    await pool.end();
    return fixture;
  } finally {
    await embedded.stop();
  }
}

async function fill(pool: Pool, dataDir: string): Promise<Fixture> {
  const guardians = await insertPeople(pool, families);
  const [hot] = (await insertPeople(pool, 1)) as [Person];
  const fixture: Fixture = {
    dataDir,
    families: [],
    hotCard: hot.cardnumber,
    hotAccount: hot.account,
    accounts: [],
  };
  for (const guardian of guardians) {
    const members = await insertPeople(pool, children);
    await pool.query(
      `insert into family_tie (guardian_id, member_id, role)
       select $1::bigint, id, 'child' from unnest($2::bigint[]) id
       union all select $1::bigint, $3::bigint, 'relative'`,
      [guardian.id, members.map(({ id }) => id), hot.id],
    );
    fixture.accounts.push(...members.map(({ account }) => account));
    fixture.families.push({
      cardnumber: guardian.cardnumber,
      wallets: members.map(({ wallet }) => wallet),
      cards: members.map(({ cardnumber }) => cardnumber),
    });
  }
  return fixture;
}

let last = 1_500_000_000;
const nextNumber = (): number => {
  do last += 1;
  while (!isCardnumber(last));
  return last;
};

/** Inserts `count` holders with an active card, the cast's password and money in a wallet. */
export async function insertPeople(pool: Pool, count: number): Promise<Person[]> {
  const numbers = Array.from({ length: count }, nextNumber);
  const { rows } = await pool.query<Person>(onePersonEach, [
    numbers,
    cast.guardian.cardnumber,
    openingCents,
  ]);
  return rows;
}

export interface Person {
  id: number;
  cardnumber: number;
  wallet: string;
  account: number;
}

// Opening balances are written without a transfer: these accounts are measured, never audited.
const onePersonEach = `
  with n as (select number, ord from unnest($1::bigint[]) with ordinality as n (number, ord)),
  people as (
    insert into person (type, name, password_hash, created_at)
    select 1, 'Banc ' || n.number, (select p.password_hash from person p
      join card c on c.person_id = p.id where c.number = $2), now() from n
    returning id, name),
  cards as (
    insert into card (number, person_id, state, activated_at)
    select n.number, p.id, 'active', now() from n join people p on p.name = 'Banc ' || n.number),
  accounts as (
    insert into ledger_account (kind, asset, floor, balance)
    select 'wallet', 'EUR', 0, $3 from n returning id),
  wallets as (
    insert into wallet (person_id, group_id, name, slug)
    select p.id, 1, 'Cagnotte principale', 'principale' from people p
    returning id, person_id, object_id),
  pairs as (
    select a.id as account, w.id as wallet, w.person_id, w.object_id
    from (select id, row_number() over (order by id) as at from accounts) a
    join (select *, row_number() over (order by id) as at from wallets) w using (at)),
  lots as (
    insert into wallet_lot (account_id, wallet_id, kind, label)
    select account, wallet, 'purchased', 'Argent rechargé' from pairs)
  select p.id::int, n.number::float8 as cardnumber, x.object_id as wallet, x.account::int
  from n join people p on p.name = 'Banc ' || n.number join pairs x on x.person_id = p.id
  order by n.ord`;

/** Bearer tokens, one for the guardian of each family. */
export async function logIn(address: string, fixture: Fixture): Promise<string[]> {
  const tokens: string[] = [];
  for (const [index, { cardnumber }] of fixture.families.entries()) {
    const answer = await fetch(`${address}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `10.0.0.${index}` },
      body: JSON.stringify({ login: cardnumber, password: castPassword }),
    });
    const { token } = (await answer.json()) as { token: { jeton: string } };
    tokens.push(`Bearer ${token.jeton}`);
  }
  return tokens;
}
