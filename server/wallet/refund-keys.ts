// Refunds of one payment, by their keys: `<paid>:refund:1`, 2, … without a gap, as many as there are.
import { type RawBuilder, sql } from "kysely";

/** The key of a refund of the payment posted under `paid`. */
export const refundKey = (paid: string, number: number): string => `${paid}:refund:${number}`;

/** The transfers of the refunds of the payment under a key, each with its `number`: a subquery. */
export const refundsUnder = (paid: RawBuilder<string>): RawBuilder<unknown> => sql`(
  with recursive numbered as (
    select 0 as number
    union all
    select number + 1 from numbered where exists (
      select from transfer r where r.key = ${paid} || ':refund:' || (number + 1)::text))
  select numbered.number, r.id, r.amount, r.memo from numbered
  join transfer r on r.key = ${paid} || ':refund:' || numbered.number::text)`;
