// The permission table, proved whole, in the demo's scheme: every row of the contract × every kind of caller, and
// every field that names something by id × everybody whose it is and is not. What is expected follows from the
// columns `access`, `right` and `of` alone. A new row is covered by being in the contract.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { idFieldsOf, pathParameters, type Row } from "#contract/endpoint.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { OwnedResource } from "#contract/resource-kinds.ts";
import { namedAnew, passedOver, reachedElsewhere, refusedAs } from "./owned-resources.ts";
import {
  type Called,
  type Caller,
  type DemoCallers,
  openDemoCallers,
  resourceFields,
} from "./demo-callers.ts";
import { isBookkeeping, lastWrite, recordWrites, undoWrites } from "./recorded-writes.ts";
import { callRow, inputSchema } from "./row-calls.ts";
import type { Answered } from "./test-server.ts";

let demo: DemoCallers;
let calls = 0;
beforeAll(async () => {
  demo = await openDemoCallers();
  await recordWrites(demo.server.owner.pool);
});
afterAll(async () => {
  console.log(`${rows.length} rows × ${demo.everybody.length} callers, ${calls} calls`);
  await demo.server.close();
});

/** A stream does not end: its access is proved by its own room's test. */
const rows = everyRow().filter(({ row }) => row.reply !== "events");

// ---- what the columns say

type Expected = { status: number; code: string } | "allowed";

/** The outcome of a call that the columns `access` and `right` prescribe. */
function expected(row: Row, { barred, type, company }: Caller): Expected {
  // A test calls from this machine.
  if (row.access === "public" || row.access === "machine") return "allowed";
  if (barred === "signed out") return { status: 401, code: "unauthenticated" };
  if (barred === "disabled") return { status: 401, code: "session_ended" };
  const isResetting = barred === "reset pending";
  if (row.access === "session") return "allowed";
  if (row.access === "reset")
    return isResetting ? "allowed" : { status: 409, code: "reset_not_pending" };
  if (isResetting) return { status: 403, code: "reset_required" };
  const needed = { holder: 1, professional: 2, person: type }[row.access];
  if (needed !== type) return { status: 403, code: "forbidden" };
  const { right } = row;
  if (right === undefined || right === "anyone") return "allowed";
  if (!company) return { status: 403, code: "company_missing" };
  const may = right === "anyRole" || companyCan[right]([company.role]);
  return may ? "allowed" : { status: 403, code: "company_role" };
}

/** Refusals about the caller, which no row answers to those whom its columns let in. */
const barring = new Set(
  "unauthenticated session_ended forbidden reset_required company_missing company_role".split(" "),
);

// ---- one call, without a trace

interface Outcome extends Answered {
  wrote: string[];
}

/** Makes a call and undoes its writes, so that the next call finds the database unchanged. */
async function outcome(make: () => Promise<Answered>): Promise<Outcome> {
  calls += 1;
  const { pool } = demo.server.owner;
  const answer = await make();
  const writes = await undoWrites(pool, mark, ["secret"]);
  const wrote = writes.filter((one) => !isBookkeeping(one)).map(({ op, at }) => `${op} ${at}`);
  return { ...answer, wrote };
}
let mark = 0;
beforeAll(async () => {
  mark = await lastWrite(demo.server.owner.pool);
});

// proves: password-reset-first, others-not-found
describe("who may call", () => {
  test.each(rows)("$name", async (called) => {
    for (const caller of demo.everybody) {
      const input = await demo.ownInput(called, caller);
      const answer = await outcome(() => callRow(caller.client, called.row, input));
      const { status, body, text, wrote } = answer;
      const expectation = expected(called.row, caller);
      if (expectation === "allowed") {
        // A row may refuse by its own rules, never by who calls.
        expect(barring, `${caller.name}: ${text}`).not.toContain(body["code"]);
        expect(status, `${caller.name}: ${text}`).toBeLessThan(500);
      } else {
        expect({ status, code: body["code"] }, caller.name).toEqual(expectation);
        expect(wrote, `what was refused to ${caller.name} wrote`).toEqual([]);
        expect(body["message"]).toMatch(/\S/);
        expect(body["requestId"]).toMatch(/\S/);
      }
    }
  });
});

// ---- whose a thing is

/** An id of the same form that belongs to nobody. */
function nobodys(like: string | number): string | number {
  if (typeof like === "string") return "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b";
  return like < 1_000_000_000 ? 999_999_999 : 1_999_999_996;
}

/**
 * An answer without its request id, and without the card number that was named in the call: for comparisons.
 */
function said({ status, body, text }: Answered, named?: unknown): string {
  const words = "code" in body ? JSON.stringify({ ...body, requestId: "" }) : text;
  const number = typeof named === "number" && named > 1e9 ? formatCardnumber(named) : "-";
  return `${status} ${words.replaceAll(number, "-")}`;
}

/** Whether an answer is the refusal for an id that does not exist. */
const isMissing = (name: string, { status, body }: Answered): boolean =>
  status === 404 || body["code"] === (refusedAs[name] ?? "not_found");

/** Whether the call got as far as the resource and found it. */
const isReached = (name: string, answer: Answered): boolean =>
  answer.status < 500 && !isMissing(name, answer) && answer.body["code"] !== "invalid_input";

const rowsWithResources = rows.filter(
  ({ row }) => row.access !== "public" && resourceFields(row).length > 0,
);

/**
 * Calls with ids of others, alone and after an id of the caller's own: the answer is that of an id that does
 * not exist.
 */
async function expectForeign(called: Called, caller: Caller, field: string, thing: OwnedResource) {
  const isPassedOver = passedOver.includes(`${called.name} ${field}`);
  const own = await demo.ownOf(thing, caller);
  let isRefused = false;
  for (const id of await demo.foreignTo(thing, caller)) {
    const lists = field.includes("[]") && own !== undefined ? [[], [own]] : [[]];
    for (const before of lists) {
      const value = (one: unknown) => (field.includes("[]") ? [...before, one] : one);
      const who = `${field} of ${caller.name}, ${JSON.stringify(value(id))}`;
      const call = (one: unknown) =>
        outcome(() => demo.callWith(called, caller, field, value(one)));
      const theirs = await call(id);
      const isNamedAnew = namedAnew.includes(`${called.name} ${field}`);
      if (!isNamedAnew)
        expect(said(theirs, id), who).toBe(said(await call(nobodys(id)), nobodys(id)));
      if (isPassedOver) continue;
      expect(theirs.status, who).toBeGreaterThan(400);
      expect(theirs.wrote, who).toEqual([]);
      isRefused ||= isMissing(called.name, theirs);
    }
  }
  return isRefused || isPassedOver;
}

// proves: others-not-found
describe("whose it is", () => {
  test.each(rowsWithResources)("$name", async (called) => {
    demo.readAgain();
    // Where no role is asked for, colleagues are as one.
    const asksRole = ![undefined, "anyone", "anyRole"].includes(called.row.right);
    const allowed = demo.everybody.filter(
      (one) =>
        expected(called.row, one) === "allowed" &&
        (asksRole || one.company === undefined || one.company.role === "owner"),
    );
    for (const [field, thing] of resourceFields(called.row)) {
      const [reached, refused]: [string[], string[]] = [[], []];
      const answers: string[] = [];
      for (const caller of allowed) {
        if (await expectForeign(called, caller, field, thing)) refused.push(caller.name);
        const own = await demo.ownOf(thing, caller);
        if (own === undefined) continue;
        const mine = await outcome(() => demo.callWith(called, caller, field, own));
        answers.push(`${caller.name}: ${said(mine).slice(0, 300)}`);
        if (isReached(called.name, mine)) reached.push(caller.name);
      }
      if (`${called.name} ${field}` in reachedElsewhere) continue;
      // Refused because it belongs to somebody else, and for no other reason: the same person reaches their
      // own.
      expect(reached, `${field} reached by nobody: ${answers.join("\n")}`).not.toEqual([]);
      expect(
        refused.filter((one) => reached.includes(one)),
        `${field} refused to nobody who reaches their own; refused ${refused.join()}, reached ${reached.join()}`,
      ).not.toEqual([]);
    }
  });
});

// proves: others-not-found
describe("all that it names at once", () => {
  const withSeveral = rowsWithResources.filter(({ row }) => resourceFields(row).length > 1);
  test.each(withSeveral)("$name", async (called) => {
    demo.readAgain();
    const allowed = demo.callers.filter((one) => expected(called.row, one) === "allowed");
    for (const owner of allowed) {
      const things = resourceFields(called.row);
      const ids = await Promise.all(things.map(([, thing]) => demo.ownOf(thing, owner)));
      if (ids.includes(undefined)) continue;
      const input = await demo.ownInput(called, owner);
      for (const caller of allowed.filter((one) => one !== owner)) {
        const owned = await Promise.all(things.map(([, thing]) => demo.all(thing)));
        const isTheirs = ids.some((id, place) =>
          owned[place]?.some((one) => one.id === id && one.whose.includes(caller.personId)),
        );
        if (isTheirs) continue;
        const answer = await outcome(() => callRow(caller.client, called.row, input));
        const who = `${caller.name} with what is ${owner.name}'s: ${said(answer)}`;
        expect(isMissing(called.name, answer), who).toBe(true);
        expect(answer.wrote, who).toEqual([]);
      }
    }
  });
});

// ---- the columns say all

/** Numbers and secrets that name something though their shape does not say so. */
const namesSomething = /(?:^|\.)(?:ids\[\]|idgroup|groups\[\]|secret|token|number)$/;

/** The fields of a row's input whose shape names something by id. */
function fieldsNaming(row: Row): string[] {
  const found = new Set<string>(pathParameters(row.path));
  const look = (path: string, shape: Record<string, any>): void => {
    for (const choice of ["anyOf", "oneOf", "allOf"])
      for (const one of shape[choice] ?? []) look(path, one);
    for (const [name, one] of Object.entries<Record<string, any>>(shape["properties"] ?? {})) {
      const isProof = name === "passkey" || (name === "challenge" && row.access !== "public");
      if (!isProof) look(path ? `${path}.${name}` : name, one);
    }
    if (shape["items"]) look(`${path}[]`, shape["items"]);
    const isId = shape["format"] === "uuid" || shape["minimum"] === 1_000_000_000;
    if (isId || namesSomething.test(path)) found.add(path);
  };
  look("", inputSchema(row));
  return [...found];
}

describe("the column `of`", () => {
  // proves: others-not-found
  test.each(rows)("$name says what each id of its input names", ({ row }) => {
    expect(Object.keys(idFieldsOf(row)).toSorted()).toEqual(fieldsNaming(row).toSorted());
  });

  test("a row that nobody signs in for is about nobody's own", () => {
    const open = rows.filter(({ row }) => row.access === "public" || row.access === "machine");
    const own = open.filter(({ row: { of } }) => typeof of === "string" && of !== "anyone");
    expect(own.map(({ name }) => name)).toEqual([]);
    const ownThings = open.flatMap(({ name, row }) =>
      resourceFields(row).map(([field]) => [name, field]),
    );
    expect(ownThings).toEqual([]);
  });

  test("a row about the caller's company takes a right there", () => {
    const odd = rows.filter(
      ({ row: { of, right } }) =>
        (of === "company" || of === "provider") && (right === undefined || right === "anyone"),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  test("the exceptions are of rows that exist", () => {
    const fields = rows.flatMap(({ name, row }) =>
      resourceFields(row).map(([one]) => `${name} ${one}`),
    );
    expect(fields).toEqual(expect.arrayContaining([...passedOver, ...namedAnew]));
    expect(fields).toEqual(expect.arrayContaining(Object.keys(reachedElsewhere)));
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(refusedAs)));
  });
});
