// The campaign over the rows: each gets its share of requests, in waves, every answer judged.
import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { everyRow } from "#contract/api.ts";
import type { Row } from "#contract/endpoint.ts";
import { castPassword } from "#tests/cast.ts";
import { faultsOf, type Answer } from "./response-checks.ts";
import { plansOf, wireOf, type Plan, type Wire } from "./requests.ts";
import { callers, codeIn, openFuzzTarget, type CallerKind, type FuzzTarget } from "./target.ts";

/** The results of the requests of one row. */
export interface Tally {
  name: string;
  requests: number;
  /** Answers by hundreds: 2xx and 3xx, 4xx, 5xx. */
  good: number;
  refused: number;
  broken: number;
  /** Codes of the refusals, and how often. */
  codes: Map<string, number>;
  /** Callers that the row let in at least once. */
  let: Set<string>;
  faults: Map<string, { times: number; example: string }>;
  seconds: number;
}

export interface Size {
  /** Requests for each row. */
  n: number;
  /** The same for rows that draw a PDF. */
  pdf?: number;
  seed: number;
  only?: readonly string[];
}

/** At most so many requests on one database: it stays small, and what wears out is replaced. */
const chapter = 5000;
const wave = 20;

/** Puts every row through its requests; `onRowDone` is called for each finished row. */
export async function fuzzRows(
  { n, pdf = n, seed, only = [] }: Size,
  onRowDone: (tally: Tally) => void = () => {},
): Promise<Tally[]> {
  const rows = everyRow().filter(({ name }) => only.length === 0 || only.includes(name));
  const tallies: Tally[] = [];
  let target: FuzzTarget | null = null;
  let left = 0;
  for (const { name, row } of rows) {
    const tally = emptyTally(name);
    const began = performance.now();
    tallies.push(tally);
    const max = row.reply === "pdf" ? pdf : n;
    while (tally.requests < max) {
      if (!target || left <= 0) {
        if (target) await closeInto(target, tally);
        [target, left] = [await openFuzzTarget(), chapter];
      }
      const much = Math.min(max - tally.requests, left, 500);
      await fuzzRow({ target, row, tally }, seed, much);
      left -= much;
    }
    if (rows.at(-1)?.name === name && target) await closeInto(target, tally);
    tally.seconds = (performance.now() - began) / 1000;
    onRowDone(tally);
  }
  return tallies;
}

const emptyTally = (name: string): Tally => ({
  name,
  requests: 0,
  good: 0,
  refused: 0,
  broken: 0,
  codes: new Map(),
  let: new Set(),
  faults: new Map(),
  seconds: 0,
});

async function closeInto(target: FuzzTarget, tally: Tally): Promise<void> {
  for (const wrong of await target.close()) blame(tally, wrong, "after this row or one before it");
}

// Each row has a chance of its own: `--only` draws the same requests as a whole run.
function drawn<T>(
  what: fc.Arbitrary<T>,
  { seed, numRuns }: { seed: string; numRuns: number },
): T[] {
  const own = createHash("sha256").update(seed).digest().readInt32LE();
  return fc.sample(what, { numRuns, seed: own });
}

/** Good requests to what else the row's room can change: cards get suspended, top-ups paid. */
function asidesOf(name: string): fc.Arbitrary<{ row: Row; plan: Plan }> {
  const room = name.split(".")[0];
  const acts = everyRow().filter(
    (other) => other.name.startsWith(`${room}.`) && other.row.method !== "GET",
  );
  if (acts.length === 0) return asidesOf("wallet.transfer");
  return fc
    .constantFrom(...acts)
    .chain(({ row }) => plansFor(row).map((plan) => ({ row, plan: { ...plan, twist: straight } })));
}
const straight = { kind: "none" as const };

// Reading a row's schema costs more than drawing fifty requests from it, and each aside asks for one.
const plansByRow = new Map<Row, fc.Arbitrary<Plan>>();
function plansFor(row: Row): fc.Arbitrary<Plan> {
  const plans = plansByRow.get(row) ?? plansOf(row, callers.length, oftenBy(row));
  plansByRow.set(row, plans);
  return plans;
}

interface Round {
  target: FuzzTarget;
  row: Row;
  tally: Tally;
}

async function fuzzRow(round: Round, seed: number, much: number): Promise<void> {
  const { target, row, tally } = round;
  const from = `${seed}:${tally.name}:${tally.requests}`;
  const plans = drawn(plansFor(row), { seed: from, numRuns: much });
  const asides = drawn(asidesOf(tally.name), { seed: `${from}:asides`, numRuns: much });
  // Their answers are checked like the rest, and not counted.
  const uncounted = { ...emptyTally(tally.name), faults: tally.faults };
  for (let at = 0; at < plans.length; at += wave) {
    await Promise.all(
      asides
        .slice(at, at + 3)
        .map(({ row: aside, plan }) => one({ target, row: aside, tally: uncounted }, plan)),
    );
    if (at % (5 * wave) === 0) await target.server.runJobs();
    await Promise.all(plans.slice(at, at + wave).map((plan) => one(round, plan)));
    await target.putBack();
  }
}

async function one(round: Round, plan: Plan): Promise<void> {
  const { target, row, tally } = round;
  const input = target.fill(plan.input, plan.caller, row);
  const answer = await exchange(round, { ...plan, input });
  tally.requests++;
  const challenge = answer && challengeIn(answer);
  if (!challenge) return;
  // The code was sent: the same call with it runs the row to its end.
  const code = codeIn(target.server.outbox.findLast(({ secret }) => secret)?.body ?? "");
  await exchange(round, { ...plan, input: { ...input, challenge, code, password: castPassword } });
}

function challengeIn({ status, text }: Answer): string | null {
  if (status !== 403 || !text.includes('"code_required"')) return null;
  return (JSON.parse(text) as { details: { challenge: string } }).details.challenge;
}

async function exchange({ target, row, tally }: Round, plan: Plan): Promise<Answer | null> {
  const caller = callers[plan.caller] as CallerKind;
  const wire = wireOf(row, plan, target.tokens[plan.caller] as string);
  const request = () => `${caller.name}: ${describeRequest(wire)}`;
  let answer: Answer;
  try {
    answer = row.reply === "events" ? await openStream(target, wire) : await injected(target, wire);
  } catch (error) {
    blame(tally, `no answer: ${String(error)}`, request());
    return null;
  }
  const markers = target.markers[plan.caller] ?? [];
  for (const fault of faultsOf({ row, plan, wire, caller, answer, markers })) {
    blame(tally, fault, `${request()} → ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  count(tally, { ...answer, isOwnMethod: wire.method === row.method }, caller);
  if (answer.status < 400 && answer.type.includes("json") && wire.method !== "HEAD") {
    target.harvest(plan.caller, row, JSON.parse(answer.text));
  }
  return answer;
}

/**
 * With another method (`isOwnMethod` false) another row may have answered: a success is not counted for this
 * row.
 */
function count(
  tally: Tally,
  { status, text, isOwnMethod }: Answer & { isOwnMethod: boolean },
  { name }: CallerKind,
): void {
  if (status >= 500) tally.broken++;
  else if (status >= 400) tally.refused++;
  else if (isOwnMethod) {
    tally.good++;
    tally.let.add(name);
  }
  const code = status >= 400 ? /"code":"(\w+)"/.exec(text)?.[1] : undefined;
  if (code) tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
}

/** A fault is reported once with an example, and counted. Ids would make each one look new. */
function blame(tally: Tally, fault: string, example: string): void {
  const name = fault.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");
  const known = tally.faults.get(name);
  if (known) known.times++;
  else tally.faults.set(name, { times: 1, example });
}

function describeRequest({ method, url, headers, payload }: Wire): string {
  const { authorization: _hidden, ...visibleHeaders } = headers;
  const body = payload ? JSON.stringify(Buffer.from(payload.subarray(0, 400)).toString()) : "";
  return `${method} ${url.slice(0, 300)} ${JSON.stringify(visibleHeaders).slice(0, 200)} ${body}`;
}

async function injected({ server }: FuzzTarget, wire: Wire): Promise<Answer> {
  const { method, url, headers, payload } = wire;
  const body = payload ? { payload: Buffer.from(payload) } : {};
  const answer = await server.app.inject({ method, url, headers, ...body });
  return answerOf(answer.statusCode, answer.headers, answer.body);
}

function answerOf(status: number, headers: Record<string, unknown>, text: string): Answer {
  const header = (name: string) => (typeof headers[name] === "string" ? headers[name] : "");
  return { status, type: header("content-type"), requestId: header("x-request-id"), text };
}

/** A stream does not end: over a real connection its beginning is enough. */
async function openStream({ server: { app } }: FuzzTarget, wire: Wire): Promise<Answer> {
  const { port } = app.server.address() as AddressInfo;
  const { method, headers } = wire;
  const path = wire.url.replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return await new Promise<Answer>((resolve, reject) => {
    const sent = httpRequest({ host: "localhost", port, method, path, headers, agent: false });
    sent.on("error", reject);
    sent.on("response", (message) => {
      let text = "";
      const end = () => {
        resolve(answerOf(message.statusCode ?? 0, message.headers, text));
        sent.destroy();
      };
      message.on("data", (part: Buffer) => {
        text += part.toString();
        if (String(message.headers["content-type"]).includes("event-stream")) end();
      });
      message.on("end", end);
    });
    if (wire.payload) sent.write(wire.payload);
    sent.end();
  });
}

// Few of the callers have what these rows are about: they ask more often than the others.
const indexOf = (name: string) => callers.findIndex(({ person }) => person === name);
const oftenByAccess = {
  professional: { caller: indexOf("canteenProvider"), weight: 4 },
  holder: { caller: indexOf("guardian"), weight: 1 },
};
const oftenBy = ({ access }: Row) =>
  access === "professional" || access === "holder" ? oftenByAccess[access] : null;
