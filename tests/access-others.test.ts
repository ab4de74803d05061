// Whose what a row is given by id: every such field of the contract × people of every kind, in the demo's
// scheme. Somebody else's id answers as an id that is nobody's, and changes nothing; one's own is reached.
// Beside it, what each role of a company is refused.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { companyCan, type CompanyRight } from "#contract/companies/roles.ts";
import { idFieldsOf, pathParameters, type Row } from "#contract/endpoint.ts";
import { passedOver, reachedElsewhere, refusedAs } from "./belongings.ts";
import {
  type Called,
  type DemoCallers,
  mayCall,
  openDemoCallers,
  thingFields,
} from "./demo-callers.ts";
import { callRow, inputSchema } from "./row-calls.ts";
import type { Answered } from "./test-server.ts";

let demo: DemoCallers;
beforeAll(async () => {
  demo = await openDemoCallers();
});
afterAll(() => demo.server.close());

// ---- which fields of a row name something by id

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

const rows = everyRow().filter(({ row }) => row.access !== "machine" && row.reply !== "events");

test.each(rows)("$name says what each id of its input names", ({ row }) => {
  expect(Object.keys(idFieldsOf(row)).toSorted()).toEqual(fieldsNaming(row).toSorted());
});

// ---- calls with ids

/** An id like the other, that nobody has. */
function nobodys(like: string | number): string | number {
  if (typeof like === "string") return "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b";
  return like < 1_000_000_000 ? 999_999_999 : 1_999_999_996;
}

/** What an answer says, whichever request it answers. */
const said = ({ status, body, text }: Answered): string =>
  `${status} ${"code" in body ? JSON.stringify({ ...body, requestId: "" }) : text}`;

const isRefused = (name: string, { status, body }: Answered): boolean =>
  status === 404 ||
  ["company_missing", refusedAs[name] ?? "not_found"].includes(String(body["code"]));

const withThings = rows.filter(({ row }) => row.access !== "public" && thingFields(row).length > 0);

/** A figure of all that stands in each table, but for what the caller's own doing leaves (`passedOver`). */
async function contents(): Promise<Record<string, string>> {
  const { pool } = demo.server.owner;
  const { rows: tables } = await pool.query<{
    name: string;
  }>(`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('limiter', 'contact_draft', 'meal_scan')`);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const figure = `select sum(hashtextextended(t::text, 0))::text as of from ${name} t`;
    found[name] = (await pool.query<{ of: string }>(figure)).rows[0]?.of ?? "";
  }
  return found;
}

describe("somebody else's", () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await contents();
  });

  test.each(withThings)("$name", async (called) => {
    for (const [field, thing] of thingFields(called.row)) {
      const isPassedOver = passedOver.includes(`${called.name} ${field}`);
      let refused = 0;
      for (const caller of demo.callers.filter((one) => mayCall(called.row, one))) {
        const id = await demo.foreignTo(thing, caller);
        if (id === undefined) continue;
        const theirs = await demo.callWith(called, caller, field, id);
        const none = await demo.callWith(called, caller, field, nobodys(id));
        expect(said(theirs), `${field} of ${caller.name}`).toBe(said(none));
        if (isRefused(called.name, theirs)) refused += 1;
        else if (!isPassedOver)
          expect(theirs.status, `${field} of ${caller.name}`).toBeGreaterThan(400);
      }
      // Refused for whose it is, and not for something else that was asked before.
      if (!isPassedOver) expect(refused, `${field} was never looked at`).toBeGreaterThan(0);
    }
  });

  test("what was refused has changed nothing", async () => {
    expect(await contents()).toEqual(before);
  });
});

describe("one's own", () => {
  /** What ends a thing comes after what only changes it, and that after what reads it. */
  const turn = ({ row: { method, path } }: Called): number => {
    if (method === "GET") return 0;
    if (/(?:accept|decline|answer)$/.test(path)) return 2;
    return /(?:withdraw|cancel|discard|delete|remove|forget|end|leave)$/.test(path) ? 3 : 1;
  };
  const inTurn = withThings
    .filter(({ name }) => !(name in reachedElsewhere))
    .toSorted((one, other) => turn(one) - turn(other));
  test.each(inTurn)("$name", async (called) => {
    for (const [field, thing] of thingFields(called.row)) {
      demo.readAgain();
      const answers: string[] = [];
      let reached = false;
      for (const caller of demo.callers.filter((one) => mayCall(called.row, one))) {
        const id = await demo.ownOf(thing, caller);
        if (id === undefined || reached) continue;
        const mine = await demo.callWith(called, caller, field, id);
        answers.push(`${caller.name}: ${said(mine).slice(0, 300)}`);
        reached =
          mine.status < 500 &&
          !isRefused(called.name, mine) &&
          !["invalid_input", "forbidden"].includes(String(mine.body["code"]));
      }
      expect(reached, `${field} reached by nobody: ${answers.join("\n")}`).toBe(true);
    }
  });
});

describe("roles of a company", () => {
  const ofProfessionals = rows.filter(({ row }) => row.access === "professional");
  const atShop = new Set(["till", "partners", "settlement", "partnerships", "tickets", "passes"]);
  const companyFor = (name: string) => {
    const room = name.split(".")[0] ?? "";
    if (room === "canteen") return "canteenProvider";
    return atShop.has(room) ? "partnerShop" : "employer";
  };

  test.each(ofProfessionals)("$name", async (called) => {
    const { right } = called.row;
    demo.readAgain();
    const carrier = demo.callers.filter(({ name }) => name === "carries a card");
    const ofCompany = demo.colleagues.filter(
      ({ company }) => company?.name === companyFor(called.name),
    );
    for (const caller of [...carrier, ...ofCompany]) {
      const role = caller.company?.role;
      const may =
        right === "anyone" ||
        (role !== undefined && (right === "anyRole" || companyCan[right as CompanyRight]([role])));
      const { status, body, text } = await callRow(
        caller.client,
        called.row,
        await demo.ownInput(called, caller),
      );
      const code = String(body["code"]);
      if (may) {
        expect(status, text).toBeLessThan(500);
        expect(["company_role", "company_missing", "forbidden", "invalid_input"]).not.toContain(
          code,
        );
      } else if (role) expect(code, caller.name).toBe("company_role");
      else expect(["company_missing", "not_found"], caller.name).toContain(code);
    }
  });
});
