// A word and an amount that nobody else has stand in whatever one family and one company own. Everybody else calls every
// row with their own things, every filter left out: no answer, page or file shows them. The owners' own answers do.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { type Caller, type DemoCallers, openDemoCallers } from "./demo-callers.ts";
import { cast, type CastName } from "./cast.ts";
import { mark, markAt } from "./marked.ts";
import { lastWrite, recordWrites, undoWrites } from "./recorded-writes.ts";
import { wordsOf } from "./pdf-words.ts";
import { callRow } from "./row-calls.ts";
import type { Answered } from "./test-server.ts";

const family = ["guardian", "child", "secondChild", "coGuardian"] as const satisfies CastName[];
const company = "canteenProvider";
const readers = [
  "stranger",
  "former guardian",
  "partnerShop",
  "employer",
  "accountant of partnerShop",
].concat([
  "accountant of employer",
  "carries a card of employer",
  "let go by canteenProvider",
  "nobody",
]);

/**
 * Rows shared with somebody else, which both sides read, are taken away first, and the family's purchases in other
 * shops become the stranger's, with what paid them. `mine` are their people, `ours` their company.
 */
const unshared = `
  delete from family_invitation where inviter_id = any (mine);
  delete from ticket_transfer where from_id = any (mine);
  delete from company_grant_card where person_id = any (mine);
  delete from partnership_message where partnership_id in (
    select id from partnership where ours in (inviter_id, invited_id));
  delete from partnership where ours in (inviter_id, invited_id);
  update transfer t set debit_account = l.account_id
    from till_sale s, wallet_lot l join wallet w on w.id = l.wallet_id join card c using (person_id)
    where c.number = ${cast.stranger.cardnumber} and w.group_id = 1 and l.kind = 'purchased'
      and s.holder_id = any (mine) and t.key = 'till:' || s.id
      and s.partner_id not in (select id from partner where company_id = ours);
  update till_sale s set holder_id = w.person_id, cardnumber = c.number,
      wallet_id = case when s.wallet_id is null then null else w.id end, code_from = null
    from wallet w join card c using (person_id)
    where c.number = ${cast.stranger.cardnumber} and w.group_id = 1 and s.holder_id = any (mine)
      and s.partner_id not in (select id from partner where company_id = ours);`;

let demo: DemoCallers;
let owners: Caller[];
let others: Caller[];
let start: number;
beforeAll(async () => {
  demo = await openDemoCallers();
  const { pool } = demo.server.owner;
  owners = demo.everybody.filter(
    ({ name, company: of }) => family.some((one) => one === name) || of?.name === company,
  );
  others = demo.everybody.filter(({ name }) => readers.includes(name));
  expect(others.length).toBe(readers.length);
  const { rows } = await pool.query(
    `select m.company_id as ours, array(
        select person_id from company_member where company_id = m.company_id
        union select person_id from card where number = any ($2)
        union select member_id from family_tie join card on guardian_id = person_id
          where number = any ($2)) as mine
     from company_member m join card c using (person_id) where c.number = $1`,
    [cast[company].cardnumber, family.map((name) => cast[name].cardnumber)],
  );
  const { ours, mine } = rows[0];
  // As a replica it fires no trigger, nor does it look for what hangs on what goes.
  await pool.query(`begin; set local session_replication_role = replica;
    do $$ declare mine bigint[] := '{${mine.join()}}'; ours uuid := '${ours}'; begin ${unshared} end $$; commit`);
  const values = await mark(pool, { persons: mine.map(Number), companies: [ours] });
  console.log(`${values} values marked`);
  await recordWrites(pool);
  start = await lastWrite(pool);
});
afterAll(() => demo.server.close());

const rows = everyRow().filter(({ row }) => row.reply !== "events");

/** The text of an answer; of a PDF, its printed text. */
const answerText = ({ headers, bytes, text }: Answered): string =>
  String(headers["content-type"]).includes("pdf") ? wordsOf(bytes) : text;

async function answerOf(called: (typeof rows)[number], caller: Caller): Promise<Answered> {
  const input = await demo.ownInput(called, caller);
  const answer = await callRow(caller.client, called.row, input);
  await undoWrites(demo.server.owner.pool, start, ["secret"]);
  return answer;
}

// proves: canary
describe("nobody else is shown it", () => {
  test.each(rows)("$name", async (called) => {
    for (const caller of others) {
      const text = answerText(await answerOf(called, caller));
      const at = markAt(text);
      const around = text.slice(Math.max(0, at - 200), at + 100);
      expect(at, `${caller.name}: ${around}`).toBe(-1);
    }
  });
});

// proves: canary
test("whoever owns it is, in most of what they read", async () => {
  const seen = new Set<string>();
  for (const called of rows.filter(({ row: { method } }) => method === "GET"))
    for (const caller of owners)
      if (!seen.has(called.name) && markAt(answerText(await answerOf(called, caller))) >= 0)
        seen.add(called.name);
  console.log(`${seen.size} reads show the marks to those whose they are`);
  expect(seen.size).toBeGreaterThan(70);
});
