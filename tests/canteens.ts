// A canteen to order meals of in a test, relative to its clock.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { addDays, startOfWeek } from "#contract/days.ts";
import { publicHolidays } from "#contract/working-days.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx } from "#server/db/db.ts";
import {
  type CanteenDescription,
  createCanteen,
  openProvider,
  registerAt,
} from "#server/kitchen/kitchen.ts";
import { hold, verify } from "#server/ledger/ledger.ts";
import { openWallet, schemeAccount } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "./cast.ts";

export interface MadeCanteen {
  id: string;
  providerId: number;
  /** Its acceptance group, the `idgroup` of the address. */
  groupId: number;
  /** Registrations of the guardian's children there. */
  registrations: { child: string; secondChild: string };
}

/**
 * The canteen of the cast's provider, every weekday, 10 seats, a meal 3,45 € and 2,10 € under a quotient
 * of 800; ordered and cancelled until the day before at 10:00. Both children of the guardian are
 * registered, with a wallet of its group.
 */
export async function makeCanteen(
  server: Pick<TestServer, "deps">,
  more: Partial<CanteenDescription> = {},
): Promise<MadeCanteen> {
  const { pool, now } = server.deps;
  return await inTx(server.deps.db, async (tx) => {
    const groupId = await one<number>(
      pool,
      `insert into acceptance_group (name, slug, rule)
       values ('Restauration', 'restauration-essai', 'À la cantine.')
       on conflict (slug) do update set name = excluded.name returning id`,
    );
    await pool.query(
      `insert into partner_category (id, name, place) values ('cantines-essai', 'Cantines', 99)
       on conflict do nothing`,
    );
    await pool.query(
      `insert into partner (reference, company_id, name, category_id, summary, description, keywords,
         street, postcode, town, lat, lon)
       values ('cantine-essai', (select company_id from company_member join card using (person_id) where number = $1), 'Les Tables du Lagon',
         'cantines-essai', 'Repas', 'Repas', '', '1 rue du Port', '35400', 'Port-Lagune', 48.6, -2)
       on conflict (reference) do nothing`,
      [cast.canteenProvider.cardnumber],
    );
    const providerId = await openProvider(tx, { partnerReference: "cantine-essai", groupId });
    const id = await createCanteen(tx, providerId, {
      name: "École des Embruns",
      kind: "school",
      street: "3 rue de l’École",
      postcode: "35400",
      town: "Port-Lagune",
      lat: 48.6,
      lon: -2,
      zone: "B",
      weekdays: [0, 1, 2, 3, 4],
      servesFrom: "11:45",
      servesUntil: "13:30",
      seats: 10,
      classes: ["CP", "CE1", "CM2"],
      orderDeadline: { kind: "days_before", days: 1, workingDays: false, at: "10:00" },
      cancelDeadline: { kind: "days_before", days: 1, workingDays: false, at: "10:00" },
      prices: [
        { name: "Plein tarif", audience: "pupil", priceCents: 345 },
        { name: "Quotient jusqu’à 800", audience: "pupil", quotientMax: 800, priceCents: 210 },
        { name: "Adulte", audience: "guest", priceCents: 620 },
      ],
      ...more,
    });
    const register = async (name: CastName) => {
      const personId = await one<number>(
        pool,
        `select person_id as id from card where number = ${cast[name].cardnumber}`,
      );
      await openWallet(tx, { personId, groupId });
      return await registerAt(tx, id, {
        personId,
        audience: "pupil",
        class: "CE1",
        town: "Port-Lagune",
        allergensConsent: true,
        by: personId,
        at: now(),
      });
    };
    const registrations = {
      child: await register("child"),
      secondChild: await register("secondChild"),
    };
    return { id, providerId, groupId, registrations };
  });
}

/**
 * The first Monday, from the week after next on, with no public holiday among the days so many after it: no
 * canteen serves on one. Every deadline is far.
 */
export function farMonday(today: string, counts: readonly number[]): string {
  const isHoliday = (day: string) => publicHolidays(Number(day.slice(0, 4))).has(day);
  for (let monday = addDays(startOfWeek(today), 14); ; monday = addDays(monday, 7)) {
    if (!counts.some((count) => isHoliday(addDays(monday, count)))) return monday;
  }
}

/**
 * A server whose clock stands still, at an instant if one is given, with a canteen and the guardian of its
 * children.
 */
export async function openCanteenServer(
  at?: string,
): Promise<{ server: TestServer; canteen: MadeCanteen; camille: Client }> {
  const server = await openTestServer();
  server.clock.freeze();
  if (at) server.clock.advance(Date.parse(at) - server.clock.now().getTime());
  const canteen = await makeCanteen(server);
  return { server, canteen, camille: await server.as("guardian") };
}

/** Closes a test's server once its ledger was found sound. */
export async function closeSound(server: TestServer): Promise<void> {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
}

/** Deletes every meal, scan and taken seat, and their notices. */
export async function forgetMeals({ deps: { pool } }: Pick<TestServer, "deps">): Promise<void> {
  await pool.query("delete from meal_scan; delete from meal_order; delete from canteen_day");
  await pool.query("delete from notification; delete from limiter");
}

/**
 * A meal ordered for a registration on a day (ISO date), its price held in the person's main wallet and a
 * seat taken; answers the order's id.
 */
export async function placeMeal(
  server: Pick<TestServer, "deps">,
  {
    registration,
    day,
    priceCents = 345,
  }: { registration: string; day: string; priceCents?: number },
): Promise<string> {
  const { db, now } = server.deps;
  return await inTx(db, async (tx) => {
    const { rows } = await sql<{ personId: number; walletId: number; accountId: number }>`
      select r.person_id as "personId", w.id as "walletId", l.account_id as "accountId"
      from canteen_registration r
      join wallet w on w.person_id = r.person_id and w.group_id = 1
      join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
      where r.id = ${registration}`.execute(tx);
    const { personId, walletId, accountId } = rows[0] as (typeof rows)[number];
    const id = randomUUID();
    const holdIds: number[] = [];
    if (priceCents > 0) {
      const held = await hold(tx, {
        key: `test-meal:${id}`,
        debitAccount: accountId,
        creditAccount: await schemeAccount(tx, "meals"),
        amountCents: priceCents,
        kind: "meal",
        at: now(),
      });
      holdIds.push(held.id);
    }
    await sql`insert into meal_order (id, canteen_id, registration_id, person_id, ordered_by, on_day,
        state, price_cents, price_reason, late_cancel_percent, absence_percent, wallet_id, hold_ids,
        ordered_at)
      select ${id}, canteen_id, id, ${personId}, ${personId}, ${day}, 'reserved', ${priceCents},
        'Plein tarif', 100, 100, ${walletId}, ${holdIds}::bigint[], ${now()}
      from canteen_registration where id = ${registration}`.execute(tx);
    await sql`insert into canteen_day (canteen_id, on_day, seats, taken)
      select c.id, ${day}, c.seats, 1 from canteen c
      join canteen_registration r on r.canteen_id = c.id where r.id = ${registration}
      on conflict (canteen_id, on_day) do update set taken = canteen_day.taken + 1`.execute(tx);
    return id;
  });
}

async function one<T>(pool: TestServer["deps"]["pool"], text: string): Promise<T> {
  return (await pool.query(text)).rows[0].id as T;
}
