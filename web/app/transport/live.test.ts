// Reads that live events cause on the screens, also with unknown topics of another release.
import { environmentManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api } from "#contract/api.ts";
import { installPage, tokenSaying } from "#tests/page-globals.ts";

installPage();
const { answerOptions, queryClient } = await import("./answers.ts");
const { followLive } = await import("./live.ts");
const { keepToken } = await import("./token.ts");

const meals = "/api/canteen/orders";
const choices = "/api/notifications/choices";
/** The reads that were repeated, in their order. */
let log: string[];
let say: (data: string) => void;
/** Statuses of the next answers to the meals; those after them are good. */
let statuses: number[];
let leave: () => Promise<void>;

beforeEach(async () => {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600 }), 3600);
  log = [];
  statuses = [];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stream = writable.getWriter();
  say = (data) => void stream.write(new TextEncoder().encode(`event: changed\ndata: ${data}\n\n`));
  vi.stubGlobal("fetch", (address: string) => {
    const path = address.replace(/\?.*/, "");
    log.push(path);
    const status = (path === meals && statuses.shift()) || 200;
    return Promise.resolve(
      path === api.notifications.live.path ? new Response(readable) : Response.json({}, { status }),
    );
  });
  const screens = [
    new QueryObserver(queryClient, answerOptions(api.canteen.orders, { when: "coming" })),
    new QueryObserver(queryClient, answerOptions(api.notifications.choices, {})),
  ].map((observer) => observer.subscribe(() => {}));
  await vi.waitUntil(() => log.length === 2 && queryClient.isFetching() === 0);
  const ends = new AbortController();
  void followLive(ends.signal, () => {});
  await vi.waitUntil(() => log.includes(api.notifications.live.path));
  log = [];
  leave = async () => {
    ends.abort();
    await stream.close();
    for (const end of screens) end();
  };
});
afterEach(async () => {
  await leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

it("reads again what shows one of the topics", async () => {
  say('{"what":["meals","wallets"]}');
  await vi.waitUntil(() => log.length > 0);
  say('{"what":["notice_choices"]}');
  await vi.waitUntil(() => log.length > 1);
  expect(log).toEqual([meals, choices]);
});

it.each([
  ["everything", '{"what":"all"}'],
  ["one word, as the server before topics", '{"what":"cards"}'],
  ["a topic that came later", '{"what":["meals","another_topic"]}'],
  ["no word", "{}"],
  ["nothing", "null"],
  ["something else", '{"what":[3]}'],
])("reads everything again where it is told %s", async (_what, data) => {
  say(data);
  await vi.waitUntil(() => log.length > 1);
  expect(log.toSorted()).toEqual([meals, choices]);
});

it.each([
  ["that got no good answer, until one comes", [503, 502], [meals, meals, meals]],
  ["that was refused, not again", [404], [meals]],
])("asks for a read %s", async (_what, troubles, reads) => {
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  statuses = troubles;
  say('{"what":["meals"]}');
  await vi.waitUntil(() => log.length > 0 && queryClient.isFetching() === 0);
  for (let minutes = 0; minutes < 3; minutes++) {
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitUntil(() => queryClient.isFetching() === 0);
  }
  expect(log).toEqual(reads);
});
