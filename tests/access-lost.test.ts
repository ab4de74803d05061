// A right that is taken away while a call is under way: every row that writes with a right in a company is called while
// somebody else holds the caller's place there, who then takes it away. What waits for that place writes nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { situations } from "#tests/campaigns/situations.ts";
import { proofFor } from "./approve.ts";
import { type Called, type Caller, type DemoCallers, openDemoCallers } from "./demo-callers.ts";
import { whileHeld } from "./row-locks.ts";
import { isBookkeeping, lastWrite, recordWrites, undoWrites } from "./recorded-writes.ts";
import { callRow } from "./row-calls.ts";

let demo: DemoCallers;
beforeAll(async () => {
  demo = await openDemoCallers();
  await recordWrites(demo.server.owner.pool);
});
afterAll(async () => {
  console.log(`${rows.length - early.length} of ${rows.length} rows came to their lock; not:`);
  for (const line of early) console.log(`  ${line}`);
  await demo.server.close();
});

const rows = everyRow().filter(
  ({ row: { method, right } }) =>
    method !== "GET" && right !== undefined && right !== "anyone" && right !== "anyRole",
);

/** Rows whose call ends before it takes a lock, each with how it ends and why. */
const endsBefore: Readonly<Record<string, string>> = {
  "till.sendCode": "200: a code alone, which is used under the lock of till.payByCode",
  "till.payByCode": "200: a sale that is paid answers as it was paid",
  "cardOrders.readFile": "card_order_file_type: reads a file and keeps nothing",
  "grants.readFile": "grant_file_type: reads a file and keeps nothing",
  "canteen.previewRules": "200: a read",
  "canteen.previewPriceChange": "200: a read",
  "canteen.previewMenuImport": "menu_file_type: reads a file and keeps nothing",
  "canteen.importMenus": "menu_file_type: the file is read first",
  "canteen.findAtCounter": "200: a read",
};
const early: string[] = [];

/** The outcome of a call; « lost » is the expected one. */
async function outcome(called: Called, owner: Caller): Promise<string> {
  const { pool } = demo.server.owner;
  const { lay, input: extra = {} } = situations[called.name] ?? {};
  const laid = lay ? [await pool.query(lay)].flat().at(-1)?.rows[0] : {};
  demo.readAgain();
  const input = { ...(await demo.ownInput(called, owner)), ...extra, ...laid };
  const mark = await lastWrite(pool);
  const place = `from company_member where person_id = ${owner.personId}`;
  const { waited, answer } = await whileHeld(
    demo.server,
    (held) => held.query(`select ${place} for no key update`),
    async () => {
      const firstAnswer = await callRow(owner.client, called.row, structuredClone(input));
      if (firstAnswer.body["code"] !== "code_required") return firstAnswer;
      const proof = proofFor(demo.server, firstAnswer);
      return await callRow(owner.client, called.row, structuredClone({ ...input, ...proof }));
    },
    (held) => held.query(`delete ${place}`),
  );
  const writes = await undoWrites(pool, mark, ["secret"]);
  await undoWrites(pool, 0, []);
  const wrote = writes
    .filter((one) => !isBookkeeping(one) && !["company_member", "code"].includes(one.at))
    .map(({ op, at }) => `${op} ${at}`);
  const { status, body } = answer;
  const code = typeof body["code"] === "string" ? body["code"] : String(status);
  if (wrote.length > 0) return `${code} wrote ${[...new Set(wrote)].join(", ")}`;
  return waited && code === "company_missing" ? "lost" : code;
}

// proves: right-taken-away
test.each(rows)("$name", async (called) => {
  const owners = demo.callers.filter(({ company }) => company);
  const outcomes: string[] = [];
  for (const owner of owners) {
    if (outcomes.includes("lost")) break;
    outcomes.push(await outcome(called, owner));
  }
  const summary = outcomes.join(" · ");
  if (!outcomes.includes("lost")) early.push(`${called.name}: ${summary}`);
  const expected = called.name in endsBefore ? endsBefore[called.name]?.split(":")[0] : "lost";
  expect(outcomes, summary).toContain(expected);
  expect(summary).not.toContain("wrote");
});
