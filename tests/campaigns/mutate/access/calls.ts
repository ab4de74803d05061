// The calls of the access matrix, built once: each mutant is tested with the same ones.
import { everyRow } from "#contract/api.ts";
import {
  type Called,
  type Caller,
  type DemoCallers,
  mayCall,
  resourceFields,
} from "#tests/demo-callers.ts";
import type { Client } from "#tests/test-server.ts";
import { situations } from "#tests/campaigns/situations.ts";

export interface MatrixCall extends Called {
  client: Client;
  input: Record<string, unknown>;
  /** Statements before the call; the columns of the last one's row go into the input. */
  lay?: string | undefined;
  /** Who calls with what. */
  words: string;
}

/**
 * Every row of people with a session × whoever calls it, with their own resources and with somebody else's.
 */
export async function matrixCalls(demo: DemoCallers): Promise<MatrixCall[]> {
  const rows = everyRow().filter(
    ({ row }) => !["public", "machine"].includes(row.access) && row.reply !== "events",
  );
  const calls: MatrixCall[] = [];
  for (const called of rows) {
    calls.push(...(await foreignCalls(demo, called)));
    calls.push(...(await othersCalls(demo, called)));
    calls.push(...(await ownCalls(demo, called)));
    calls.push(...(await laidCalls(demo, called)));
  }
  return calls;
}

const isColleague = ({ company }: Caller): boolean =>
  company !== undefined && company.role !== "owner";

/** A resource of somebody else in each field. */
async function foreignCalls(demo: DemoCallers, called: Called): Promise<MatrixCall[]> {
  const calls: MatrixCall[] = [];
  const able = demo.everybody.filter(
    (one) => mayCall(called.row, one) && !one.barred && !isColleague(one),
  );
  for (const [field, thing] of resourceFields(called.row))
    for (const caller of able)
      for (const id of await demo.foreignTo(thing, caller)) {
        const input = await demo.inputWith(called, caller, [field, id]);
        const words = `${caller.name} with another's ${thing} in ${field}`;
        calls.push({ ...called, client: caller.client, input, words });
      }
  return calls;
}

/** All that a row names at once is somebody else's: a canteen and what is in it. */
async function othersCalls(demo: DemoCallers, called: Called): Promise<MatrixCall[]> {
  if (resourceFields(called.row).length < 2) return [];
  const able = demo.callers.filter((one) => mayCall(called.row, one));
  const calls: MatrixCall[] = [];
  for (const owner of able) {
    const input = await demo.ownInput(called, owner);
    for (const { name, client } of able.filter((one) => one !== owner))
      calls.push({ ...called, client, input, words: `${name} with what is ${owner.name}'s` });
  }
  return calls;
}

/** One's own things, whoever one is: those of another type, and colleagues of every role. */
async function ownCalls(demo: DemoCallers, called: Called): Promise<MatrixCall[]> {
  const isForCompanies = called.row.access === "professional";
  const calls: MatrixCall[] = [];
  for (const caller of demo.everybody.filter((one) => isForCompanies || !isColleague(one))) {
    const input = await demo.ownInput(called, caller);
    calls.push({ ...called, client: caller.client, input, words: `${caller.name} with their own` });
  }
  return calls;
}

/** What lets the row write (tests/campaigns/situations.ts), for its people and for others with the same input. */
async function laidCalls(demo: DemoCallers, called: Called): Promise<MatrixCall[]> {
  const situation = situations[called.name];
  if (!situation) return [];
  const calls: MatrixCall[] = [];
  const able = demo.callers.filter((one) => mayCall(called.row, one));
  for (const owner of able) {
    const input = { ...(await demo.ownInput(called, owner)), ...situation.input };
    for (const { name, client } of able) {
      const words = `${name} with what is ${owner.name}'s, where it goes on`;
      calls.push({ ...called, client, input, lay: situation.lay, words });
    }
  }
  return calls;
}
