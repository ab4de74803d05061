// A role in a company that is taken away while a call of it is on its way: after the call came in, before its locks.
import type { CompanyRole } from "#contract/companies/roles.ts";
import { whileHeld } from "./row-locks.ts";
import type { Answered, TestServer } from "./test-server.ts";

interface LosingCall<Answer> {
  /** Of the caller. */
  cardnumber: number;
  /** The roles that they keep; without any, their place in the company goes too. */
  left?: readonly CompanyRole[];
  send: () => Promise<Answer>;
}

/**
 * Sends a call while another transaction takes away the caller's roles, which commits once the call waits for them.
 * Gives what the call answered, and whether it waited; without a wait it has not held its roles. The roles are given
 * back at the end.
 */
export async function callLosingRoles<Answer extends Answered>(
  server: Pick<TestServer, "owner">,
  { cardnumber, left, send }: LosingCall<Answer>,
): Promise<{ answer: Answer; waited: boolean }> {
  const { rows: members } = await server.owner.pool.query(
    `select m.person_id as id, to_jsonb(m) as member from company_member m
     where m.person_id = (select person_id from card where number = $1)`,
    [cardnumber],
  );
  const { id, member } = members[0];
  const { answer, waited } = await whileHeld(
    server,
    (held) => held.query("select from company_member where person_id = $1 for update", [id]),
    send,
    (held) =>
      left
        ? held.query("update company_member set roles = $2 where person_id = $1", [id, left])
        : held.query("delete from company_member where person_id = $1", [id]),
  );
  await server.owner.pool.query(
    `insert into company_member select * from jsonb_populate_record(null::company_member, $1)
     on conflict (person_id) do update set roles = excluded.roles`,
    [member],
  );
  return { answer, waited };
}
