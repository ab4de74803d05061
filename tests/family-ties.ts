// Ties of a family that end or come back at a moment that a test chooses.
import { cast, type CastName } from "./cast.ts";
import { type Queries, whileHeld } from "./row-locks.ts";
import type { Answered, TestServer } from "./test-server.ts";

const between = `(select person_id from card where number = $1),
  (select person_id from card where number = $2)`;
const numbers = (guardian: CastName, child: CastName) => [
  cast[guardian].cardnumber,
  cast[child].cardnumber,
];

/** Ends the tie of a guardian with a child. */
export const untie = (client: Queries, guardian: CastName, child: CastName): Promise<unknown> =>
  client.query(
    `delete from family_tie where (guardian_id, member_id) = (${between})`,
    numbers(guardian, child),
  );

/** Makes somebody a guardian of a child. */
export const tieAgain = (client: Queries, guardian: CastName, child: CastName): Promise<unknown> =>
  client.query(
    `insert into family_tie (guardian_id, member_id, role) values (${between}, 'child')`,
    numbers(guardian, child),
  );

/** Makes a call while the tie of a guardian with a child ends; gives how it was refused. The tie is there again then. */
export async function refusedAsTieEnds(
  server: TestServer,
  guardian: CastName,
  child: CastName,
  call: () => Promise<Answered<any>>,
): Promise<[status: number, code: unknown]> {
  const { answer } = await whileHeld(server, (held) => untie(held, guardian, child), call);
  await tieAgain(server.owner.pool, guardian, child);
  return [answer.status, answer.body.code];
}
