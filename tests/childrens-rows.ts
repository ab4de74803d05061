// What a guardian's screens list of a child, beside what the demo has on some days only or on none: a meal
// tomorrow, a seat in the cart, a sale at a till and an employer's invitation that wait for an answer.
import { expect } from "vitest";
import { cast, type CastName } from "./cast.ts";
import type { TestServer } from "./test-server.ts";

/** Creates them for a child of the cast; the seat is in the cart of `guardian`. */
export async function createChildrensRows(
  { owner: { pool } }: Pick<TestServer, "owner">,
  { child, guardian }: Record<"child" | "guardian", CastName>,
): Promise<void> {
  const number = cast[child].cardnumber;
  const idOf = (name: CastName) =>
    `(select person_id from card where number = ${cast[name].cardnumber})`;
  const later = "now() + interval '1 day'";
  // A session that has begun: in one to come, a reader who lost the child would free its seat by reading the cart,
  // and the catalogue would then count another number of free seats.
  const results: unknown = await pool.query(`
    insert into meal_order (canteen_id, registration_id, person_id, ordered_by, on_day, state, price_cents,
        price_reason, late_cancel_percent, absence_percent, ordered_at)
      select canteen_id, id, person_id, ${idOf(guardian)}, paris_day(now()) + 1, 'reserved', 0, '', 0, 0, now()
      from canteen_registration where person_id = ${idOf(child)} and ended_at is null limit 1
      on conflict do nothing;
    with session as (insert into ticket_session (event_id, starts_at, ends_at)
        select event_id, now() - interval '1 hour', ${later} from ticket_category limit 1 returning *),
      quota as (insert into ticket_quota (session_id, seats, taken) select id, 10, 1 from session),
      cart as (insert into ticket_order (person_id, opened_at, expires_at)
        select ${idOf(guardian)}, now(), ${later} returning *)
      insert into ticket (order_id, session_id, category_id, owner_id, price_cents, reduced, state, policy)
        select cart.id, session.id, c.id, ${idOf(child)}, c.price_cents, false, 'held', e.policy
        from cart, session join ticket_event e on e.id = event_id
        join ticket_category c using (event_id) limit 1;
    insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, state, amount_cents,
        discount_cents, requested_at, expires_at)
      select gen_random_uuid(), partner_id, cashier_id, ${idOf(child)}, ${number}, 'requested', 500, 0,
        now(), ${later} from till_sale limit 1;
    insert into commuting_enrolment (plan_id, state, name, cardnumber, invited_by, invited_at, expires_at)
      select plan_id, 'invited', 'Stagiaire', ${number}, invited_by, now(), ${later}
      from commuting_enrolment limit 1`);
  // The meal may be one of the demo's; of what the others are copied from, the demo must have one.
  const [, ...others] = results as { rowCount: number }[];
  expect(others.map(({ rowCount }) => rowCount)).toEqual([1, 1, 1]);
}
