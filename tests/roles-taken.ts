// Takes the roles of a person in their company away while a call of theirs is under way: for tests that what such a
// call writes holds them (`holdRoles`).
import { expect } from "vitest";
import type { TestServer } from "./test-server.ts";

/**
 * Makes a call whose session still has the roles of a person, takes all but `left` away before it writes, and gives
 * its answer. They have their roles back afterwards.
 */
export async function rolesTakenDuring<Answer>(
  { owner }: Pick<TestServer, "owner">,
  cardnumber: number,
  call: () => Promise<Answer>,
  left: readonly string[] = ["kitchen"],
): Promise<Answer> {
  const of = "person_id = (select person_id from card where number = $1)";
  const client = await owner.pool.connect();
  try {
    const { rows } = await client.query<{ roles: string[] }>(
      `select roles from company_member where ${of}`,
      [cardnumber],
    );
    await client.query("begin");
    const set = `update company_member set roles = $2 where ${of}`;
    await client.query(set, [cardnumber, left]);
    let isOver = false;
    const answer = call().finally(() => (isOver = true));
    await expect.poll(async () => isOver || (await isWaitedFor(owner.pool))).toBe(true);
    await client.query("commit");
    const answered = await answer;
    await client.query(set, [cardnumber, rows[0]?.roles]);
    return answered;
  } finally {
    client.release();
  }
}

async function isWaitedFor(pool: TestServer["owner"]["pool"]): Promise<boolean> {
  const { rows } = await pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
}
