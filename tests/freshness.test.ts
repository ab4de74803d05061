// The topics that a row declares in `changes` are complete: in the demo, each act of each kind of caller is
// made, and every read of that caller whose answer differs afterwards must share a topic with it, so that no
// screen shows old data. The topics that the live stream sends, to another screen or another person, are held
// to the same.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { type Topic, topics } from "#contract/topics.ts";
import {
  type Called,
  type Caller,
  type DemoCallers,
  mayCall,
  openDemoCallers,
} from "./demo-callers.ts";
import { cast } from "./cast.ts";
import { createChildrensRows } from "./childrens-rows.ts";
import { isBookkeeping, lastWrite, recordWrites, undoWrites } from "./recorded-writes.ts";
import { callRow } from "./row-calls.ts";
import { type LiveListener, listenForTopics, type TopicsByPerson } from "./live-topics.ts";

const rows = everyRow().filter(({ row }) => row.reply === undefined || row.reply === "json");
/** Reads that answer by what is sent, and write nothing. */
const isRead = ({ name, row }: Called): boolean =>
  row.method === "GET" || row.reads !== undefined || name.startsWith("canteen.preview");
const reads = rows.filter((called) => isRead(called) && called.row.reads !== undefined);
const acts = rows.filter((called) => !isRead(called));

/** Reads that no act of the portal's own people changes, or that nobody looks at again. */
const constant =
  /^(?:signedCodes|content|portal)\.|^transit\.(?:lines|groups|line|stops|timetable)$|^privacy\.retention$|^contact\.draft$/;
/** Acts without a trace on a screen that is open: they come in, leave, prove, or answer with all that changed. */
const traceless =
  /^identity\.(?:login|logout|forgot|forgotReset|resetPassword|passkeyChallenge|passkeyLogin|passkeyOptions|recover|readAlert|denyLogin)$|^documents\.|^payments\.(?:sandboxPay|webhook)$|^passes\.control$|^tickets\.scan$|^(?:cardOrders|grants)\.readFile$|^funding\.(?:gift|give)$|^canteen\.findAtCounter$|^content\.faqVote$|^contact\.keepDraft$/;

let demo: DemoCallers;
let mark = 0;
let listener: LiveListener;
beforeAll(async () => {
  demo = await openDemoCallers();
  await createChildrensRows(demo.server, { child: "child", guardian: "guardian" });
  await recordWrites(demo.server.owner.pool);
  mark = await lastWrite(demo.server.owner.pool);
  listener = await listenForTopics(demo.server);
  for (const one of demo.everybody) if (!one.barred) await lookAtFirst(one);
}, 300_000);
afterAll(async () => {
  await listener.end();
  await demo.server.close();
});

const takeBack = async () => {
  const writes = await undoWrites(demo.server.owner.pool, mark, ["secret"]);
  return writes.filter((one) => !isBookkeeping(one));
};

/** Every value of an answer by where it stands. */
function leaves(value: unknown, at: string, found: Map<string, unknown>): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return found.set(at, value);
  found.set(at, Array.isArray(value) ? value.length : "");
  for (const [name, inner] of Object.entries(value)) leaves(inner, `${at}.${name}`, found);
  return found;
}

/** The preview of an illness is of the child, where the caller answers for it, and of the day of its meal. */
async function readInput(called: Called, caller: Caller): Promise<Record<string, unknown>> {
  const own = await demo.ownInput(called, caller);
  if (called.name !== "canteen.illnessPreview") return own;
  const { cardnumber } = cast.child;
  const card = (await demo.all("card")).find(({ id }) => Number(id) === cardnumber);
  return card?.whose.includes(caller.personId)
    ? { ...own, cardnumber, to: addDays(todayInParis(), 1) }
    : own;
}

type Answers = Map<string, Map<string, unknown>>;
async function readAll(caller: Caller): Promise<Answers> {
  const found: Answers = new Map();
  for (const called of reads) {
    if (!mayCall(called.row, caller)) continue;
    const input = await readInput(called, caller);
    const { status, body } = await callRow(caller.client, called.row, input);
    found.set(called.name, leaves(body, String(status), new Map()));
  }
  return found;
}

const differences = (one: Map<string, unknown>, other: Map<string, unknown>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((at) => one.get(at) !== other.get(at));

interface Before {
  answers: Answers;
  /** Values that differ by themselves from one read to the next, as the time. */
  restless: Map<string, ReadonlySet<string>>;
}
/** Of everybody, read while nothing is changed. */
const known = new Map<string, Before>();
async function lookAtFirst(caller: Caller): Promise<Before> {
  const answers = await readAll(caller);
  await takeBack();
  const restless = new Map<string, ReadonlySet<string>>();
  for (const [name, again] of await readAll(caller))
    restless.set(name, new Set(differences(answers.get(name) ?? new Map(), again)));
  await takeBack();
  const before = { answers, restless };
  known.set(caller.name, before);
  return before;
}

/** A caller who was told something or acted, what they read before and while it was done. */
interface Reader {
  caller: Caller;
  before: Before;
  after: Answers;
}

/** Reads of somebody whose answers an act changed, and that share no topic with what they were sent. */
async function missedBy(
  { caller, before: { answers, restless }, after }: Reader,
  isKnown: (topic: Topic) => boolean,
): Promise<string[]> {
  const changed = new Map<string, string[]>();
  for (const { name, row } of reads) {
    const now = after.get(name);
    if (!now || row.reads?.some(isKnown)) continue;
    const differing = differences(answers.get(name) ?? new Map(), now).filter(
      (at) => !restless.get(name)?.has(at),
    );
    if (differing.length > 0) changed.set(name, differing);
  }
  if (changed.size === 0) return [];
  // Values that still differ once the act is undone, as the next bus, changed with time.
  const { answers: now } = await lookAtFirst(caller);
  return [...changed].flatMap(([name, paths]) =>
    paths
      .filter((at) => answers.get(name)?.get(at) === now.get(name)?.get(at))
      .slice(0, 1)
      .map((at) => `${name}: ${at}`),
  );
}

/**
 * Other people of the demo to whom topics were sent; of a company's people with the same topics, the one who
 * sees most.
 */
function otherRecipients(topicsByPerson: TopicsByPerson, caller: Caller): Caller[] {
  const found = new Map<string, Caller>();
  for (const one of demo.everybody) {
    const said = topicsByPerson.get(one.personId);
    if (!said || one.barred || one.personId === caller.personId) continue;
    const key = `${one.company?.name ?? one.name} ${[...said].join(" ")}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/** The journal of a person shows what was done; beside sessions nobody waits for its next line. */
const isJournal = (topic: Topic): boolean => topic === "activity";

describe("topics", () => {
  test("each is shown by a row, and changed by one", () => {
    const unread = topics.filter((topic) => !rows.some(({ row }) => row.reads?.includes(topic)));
    const unchanged = topics.filter(
      (topic) => !rows.some(({ row }) => row.changes?.includes(topic)),
    );
    expect({ unread, unchanged }).toEqual({ unread: [], unchanged: [] });
  });

  test("a read says what it shows, an act what it changes", () => {
    const silent = rows.filter(({ name, row }) =>
      isRead({ name, row })
        ? row.reads === undefined && !constant.test(name)
        : row.changes === undefined && !traceless.test(name),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
    const both = rows.filter(({ row }) => row.reads && row.changes);
    expect(both.map(({ name }) => name)).toEqual([]);
  });
});

describe("whatever reads differently after an act shares a topic with it", () => {
  // The session that a smallest input ends is the caller's own.
  const tried = acts.filter(({ name }) => !traceless.test(name) && name !== "identity.endSession");
  test.each(tried)("$name", async (called) => {
    const callers = demo.everybody.filter((one) => !one.barred && mayCall(called.row, one));
    for (const caller of callers) {
      const before = new Map(known);
      const input = await demo.ownInput(called, caller);
      await listener.takeTopics();
      const { status } = await callRow(caller.client, called.row, input);
      const topicsByPerson = await listener.takeTopics();
      if (status >= 300) {
        await takeBack();
        continue;
      }
      const readers: Reader[] = [];
      for (const one of [caller, ...otherRecipients(topicsByPerson, caller)]) {
        const looked = before.get(one.name);
        if (looked) readers.push({ caller: one, before: looked, after: await readAll(one) });
      }
      const writes = await takeBack();
      for (const reader of readers) {
        const { name, personId } = reader.caller;
        const said = topicsByPerson.get(personId);
        const what = `${called.name} of ${caller.name}`;
        if (reader.caller === caller) {
          const changes = new Set(called.row.changes);
          expect(await missedBy(reader, (topic) => changes.has(topic)), what).toEqual([]);
        }
        if (said) {
          const missed = await missedBy(reader, (topic) => isJournal(topic) || said.has(topic));
          expect(missed, `${what}, by what ${name} is told`).toEqual([]);
        }
      }
      // One who could is enough: who else can is the table of access.
      if (writes.length > 0) return;
    }
  });
});
