// Answers kept for the screens: which failed reads are an error notification of their own (spec §8), and what is read
// again after an act.
import {
  MutationObserver,
  type MutationObserverOptions,
  QueryObserver,
} from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "#contract/api.ts";
import { installPage, tokenSaying } from "#tests/page-globals.ts";

installPage();
const { answerOptions, keepAnswer, keyOf, queryClient, readAgain } = await import("./answers.ts");
const { call } = await import("./api.ts");
const { keepToken } = await import("./token.ts");
const { ToastRegion } = await import("#web/ui/toast.tsx");

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

it.each([
  ["card/info", api.wallet.info],
  ["services/public", api.wallet.publicServices],
  ["services/billet", api.tickets.billet],
])("a %s that is not found is told as any other failure", async (name, row) => {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600 }), 3600);
  for (const status of [404, 503]) {
    const message = `${name} ${status}`;
    const refusal = () =>
      Promise.resolve(Response.json({ code: "not_found", message }, { status }));
    vi.stubGlobal("fetch", refusal);
    const read = queryClient.fetchQuery(answerOptions(row, { cardnumber: 1000000016 }));
    await expect(read).rejects.toThrow(message);
    expect(renderToStaticMarkup(createElement(ToastRegion))).toContain(message);
  }
});

it("a shown card/info that fails again and again is told once, until it is read", async () => {
  keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600 }), 3600);
  const notifies = async (status: number, message: string) => {
    vi.stubGlobal("fetch", async () => Response.json({ code: "internal", message }, { status }));
    const read = answerOptions(api.wallet.info, { cardnumber: 1000000016 });
    await queryClient.prefetchQuery({ ...read, staleTime: 0 });
    return renderToStaticMarkup(createElement(ToastRegion)).includes(message);
  };
  const steps = [
    [200, "read"],
    [503, "first failure"],
    [503, "second failure"],
    [200, "read again"],
    [503, "later failure"],
  ] as const;
  const said: string[] = [];
  for (const [status, message] of steps) if (await notifies(status, message)) said.push(message);
  expect(said).toEqual(["first failure", "later failure"]);
});

describe("after an act", () => {
  const meals = "/api/canteen/orders";
  const choices = "/api/notifications/choices";
  /** Read before, and on no screen. */
  const past = answerOptions(api.canteen.orders, { when: "past" });
  /** What was sent and told, in its order. */
  let log: string[];
  /** Waited for before each answer. */
  let held: Promise<void>;
  let leave: () => void;

  const drop = () => call(api.canteen.dropRequest, { idgroup: 2 });
  const act = (options: MutationObserverOptions = {}) =>
    new MutationObserver(queryClient, { mutationFn: drop, ...options }).mutate();
  const sent = "POST /api/canteen/requests/drop";

  beforeEach(async () => {
    keepToken(tokenSaying({ exp: Date.now() / 1000 + 3600 }), 3600);
    log = [];
    held = Promise.resolve();
    vi.stubGlobal("fetch", async (address: string, { method }: RequestInit) => {
      log.push(`${method} ${address.replace(/\?.*/, "")}`);
      await held;
      return Response.json({ message: "Votre choix est vidé." });
    });
    const screens = [
      new QueryObserver(queryClient, answerOptions(api.canteen.orders, { when: "coming" })),
      new QueryObserver(queryClient, answerOptions(api.notifications.choices, {})),
    ].map((observer) => observer.subscribe(() => {}));
    leave = () => screens.forEach((end) => end());
    await queryClient.prefetchQuery(past);
    await vi.waitUntil(() => queryClient.isFetching() === 0);
    expect(log.toSorted()).toEqual([`GET ${meals}`, `GET ${meals}`, `GET ${choices}`]);
    log = [];
  });
  afterEach(() => leave());

  it("only what a screen shows of it is read again, once the act has told what it did", async () => {
    await act({ onSuccess: () => void log.push("told") });
    expect(log).toEqual([sent, "told", `GET ${meals}`]);
    expect(queryClient.getQueryState(past.queryKey)?.isInvalidated).toBe(true);
  });

  it("the act that still leaves its screen is waited for", async () => {
    const leaving = async () => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      leave();
      log.push("left");
    };
    await act({ onSuccess: leaving });
    expect(log).toEqual([sent, "left"]);
  });

  it("a refusal for what has become of the thing reads again too, after it was told", async () => {
    vi.stubGlobal("fetch", async (address: string, { method }: RequestInit) => {
      log.push(`${method} ${address.replace(/\?.*/, "")}`);
      return method === "GET"
        ? Response.json({})
        : Response.json({ code: "order_payment_pending", message: "x" }, { status: 409 });
    });
    await expect(act({ onError: () => void log.push("told") })).rejects.toThrow("x");
    expect(log).toEqual([sent, "told", `GET ${meals}`]);
  });

  it("the act waits for what is read, a second at most", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let ended = false;
    const acting = act({ onSuccess: () => void (held = new Promise(() => {})) }).then(
      () => (ended = true),
    );
    await vi.waitUntil(() => log.length === 2);
    await vi.advanceTimersByTimeAsync(800);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await acting;
    expect(log).toEqual([sent, `GET ${meals}`]);
  });

  it("the act whose changes another one reads waits for that too", async () => {
    let answerReads = () => {};
    const holdReads = () => (held = new Promise((resolve) => (answerReads = resolve)));
    const ended: string[] = [];
    const slow = act({ onSuccess: () => new Promise((resolve) => setTimeout(resolve, 50)) });
    const quick = act({ onSuccess: () => void holdReads() });
    const both = [slow.then(() => ended.push("slow")), quick.then(() => ended.push("quick"))];
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect({ log, ended }).toEqual({ log: [sent, sent, `GET ${meals}`], ended: [] });
    answerReads();
    await Promise.all(both);
    expect(log).toEqual([sent, sent, `GET ${meals}`]);
  });

  it("a call outside an act has it read after this turn", async () => {
    await drop();
    await vi.waitUntil(() => log.length === 2);
    expect(log).toEqual([sent, `GET ${meals}`]);
  });
});

it("an answer that also holds for another input is read anew after a change, though nothing shows it yet", async () => {
  const input = { month: "2027-03" };
  const empty = { now: "2027-03-08T07:00:00.000Z", month: "2027-03", span: null, items: [] };
  keepAnswer(api.canteen.month, input, empty);
  keepAnswer(api.wallet.info, { cardnumber: 1000000016 }, {} as never);
  await readAgain(new Set(["meals"]));
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
  expect(isStale(keyOf(api.canteen.month, input))).toBe(true);
  expect(isStale(keyOf(api.wallet.info, { cardnumber: 1000000016 }))).toBe(false);
});
