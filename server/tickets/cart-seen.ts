// A cart as its person sees it, in one read.
import { sql } from "kysely";
import { tickets as limits } from "#contract/limits.ts";
import type { Cart, CartLine, CartState } from "#contract/ticket-cart.ts";
import type { TopUpState } from "#contract/payments.ts";
import type { Deps } from "#server/deps.ts";
import { later } from "./orders.ts";

interface Row {
  id: string;
  state: CartState;
  expiresAt: Date;
  lines: (Omit<CartLine, "startsAt"> & { startsAt: string })[] | null;
  paymentId: string | null;
  paymentState: TopUpState | null;
}

/** The open cart of a person, else the last one if it ended unpaid within a day and still shows. */
export async function cartOf(deps: Deps, personId: number): Promise<Cart | null> {
  const since = later(deps.now(), -limits.endedShownSeconds);
  const rows = await read(
    deps,
    sql`o.id = (select id from ticket_order where person_id = ${personId}
      order by state = 'cart' desc, opened_at desc, id limit 1)
      and (o.state = 'cart' or (o.state = 'expired' and o.ended_at > ${since}))`,
  );
  return rows[0] ? seen(rows[0]) : null;
}

/** An order of a person whatever became of it; null when it is somebody else's. */
export async function orderSeen(deps: Deps, personId: number, id: string): Promise<Cart | null> {
  const rows = await read(deps, sql`o.id = ${id} and o.person_id = ${personId}`);
  return rows[0] ? seen(rows[0]) : null;
}

async function read({ db }: Deps, condition: ReturnType<typeof sql>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.id, o.state, o.expires_at as "expiresAt", u.id as "paymentId",
      u.state as "paymentState",
      (select json_agg(line order by line."startsAt", line.title, line.holder, line."priceCents" desc)
       from (
        select s.offer_id as offer, s.id as session, c.id as category, f.title,
          s.starts_at as "startsAt", c.name as "categoryName", t.price_cents as "priceCents",
          p.name as holder, count(*)::int as quantity,
          (select number from card where person_id = p.id
            order by (state in ('active', 'suspended')) desc, requested_at desc limit 1)
            as cardnumber
        from ticket t join ticket_session s on s.id = t.session_id
        join ticket_offer f on f.id = s.offer_id
        join ticket_category c on c.id = t.category_id
        join person p on p.id = t.owner_id
        where t.order_id = o.id and t.replaces is null and case o.state
          when 'cart' then t.state = 'held'
          when 'paid' then t.issued_at is not null
          else t.state = 'expired' and t.issued_at is null end
        group by s.offer_id, s.id, c.id, f.title, s.starts_at, c.name, t.price_cents, p.id, p.name
      ) line) as lines
    from ticket_order o left join top_up u on u.id = o.top_up_id
    where ${condition}`.execute(db);
  return rows;
}

function seen(row: Row): Cart {
  const lines = (row.lines ?? []).map((line) => ({
    ...line,
    startsAt: new Date(line.startsAt).toISOString(),
  }));
  const { id, state, expiresAt, paymentId, paymentState } = row;
  return {
    id,
    state,
    expiresAt: expiresAt.toISOString(),
    lines,
    totalCents: lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0),
    payment: paymentId && paymentState ? { id: paymentId, state: paymentState } : null,
  };
}
