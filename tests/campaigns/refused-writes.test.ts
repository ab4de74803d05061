// A refused call has written nothing: every row that writes × whoever may not call it, with what whoever may
// would send; then the latter, whom the rules may refuse. Triggers note each row that a call writes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import type { Client } from "#tests/test-server.ts";
import { type Called, type DemoCallers, mayCall, openDemoCallers } from "#tests/demo-callers.ts";
import { isBookkeeping, lastWrite, recordWrites, undoWrites } from "#tests/recorded-writes.ts";
import { callRow } from "#tests/row-calls.ts";
import { situations } from "./situations.ts";

let demo: DemoCallers;
/** People without a right to anybody's resources, beside the callers of the demo. */
const outsiders: { name: string; client: Client }[] = [];
beforeAll(async () => {
  demo = await openDemoCallers();
  const { server } = demo;
  outsiders.push({ name: "signed out", client: server.anonymous });
  outsiders.push({ name: "reset pending", client: await server.as("resetPending") });
  const ended = await server.as("stranger");
  await ended.post("/api/logout");
  outsiders.push({ name: "a session that ended", client: ended });
  await recordWrites(server.owner.pool);
});
afterAll(async () => {
  console.log(`${wrote.size} of ${rows.length} rows wrote for whoever may call them`);
  await demo.server.close();
});

interface Outcome {
  status: number;
  code: string;
  wrote: string[];
}

/** Calls a row; returns what it wrote after `mark`, and undoes it. */
async function outcome(
  client: Client,
  { row }: Called,
  input: Record<string, unknown>,
  mark: number,
): Promise<Outcome> {
  const { server } = demo;
  const sent = server.outbox.length;
  const { status, body } = await callRow(client, row, structuredClone(input));
  // The memory of the server holds its secrets: they stay.
  const writes = await undoWrites(server.owner.pool, mark, ["secret"]);
  const wrote = writes.filter((one) => !isBookkeeping(one)).map(({ op, at }) => `${op} ${at}`);
  const messages = server.outbox.slice(sent).map(({ address }) => `message to ${address}`);
  return { status, code: String(body["code"]), wrote: [...wrote, ...messages] };
}

/** A refusal that asks for a code has made and sent one; no other leaves anything. */
function expectNothing({ status, code, wrote }: Outcome, who: string): void {
  if (status < 400) return;
  const codes = code === "code_required" ? /^(?:(?:INSERT|UPDATE) code|message to .*)$/ : /^$/;
  expect(
    wrote.filter((one) => !codes.test(one)),
    `${who}: ${status} ${code}`,
  ).toEqual([]);
}

const rows = everyRow().filter(
  ({ row }) => row.method !== "GET" && row.access !== "machine" && row.reply !== "events",
);
/** Rows with which somebody wrote, or was asked for a code to. */
const wrote = new Set<string>();

// proves: refused-writes
describe("refused", () => {
  test.each(rows)("$name", async (called) => {
    const { pool } = demo.server.owner;
    const { lay, input: extra = {} } = situations[called.name] ?? {};
    const everybody = [...demo.callers, ...demo.colleagues, ...outsiders];
    const mayWrite = demo.callers.filter(
      (one) => called.row.access === "public" || mayCall(called.row, one),
    );
    demo.readAgain();
    for (const owner of mayWrite) {
      const laid = lay ? [await pool.query(lay)].flat().at(-1)?.rows[0] : {};
      const mark = await lastWrite(pool);
      const input = { ...(await demo.ownInput(called, owner)), ...extra, ...laid };
      for (const { name, client } of everybody) {
        if (client === owner.client) continue;
        const found = await outcome(client, called, input, mark);
        expectNothing(found, `${name}, with what is ${owner.name}'s`);
      }
      const own = await outcome(owner.client, called, input, mark);
      expectNothing(own, `${owner.name} for themselves`);
      const goesOn = own.status < 400 || own.code === "code_required";
      if (goesOn && own.wrote.length > 0) wrote.add(called.name);
      await undoWrites(pool, 0, []);
    }
    // A refusal proves nothing where there was nothing to write.
    if (called.name in situations) expect(wrote).toContain(called.name);
  });
});
