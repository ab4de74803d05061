// Live events: one stream read by fetch with the bearer (spec.md 15). It comes back by itself after
// a cut, waiting longer each time, and stops with the session.
import { api } from "#contract/api.ts";
import type { ChangedEvent } from "#contract/notifications/rows.ts";
import { type Topic, topics } from "#contract/topics.ts";
import { hasJustActed } from "./recent-actions.ts";
import { readAgain } from "./answers.ts";
import { bearerOf, handleProblem, problemOf } from "./api.ts";
import { online } from "./connectivity.ts";
import { endSession } from "./session.ts";

/** An event of the stream; `data` is the JSON that came with it, null when it is not JSON. */
export interface LiveEvent {
  name: string;
  id: string | null;
  data: unknown;
}

const firstPauseMs = 1000;
const maxPauseMs = 30_000;
/** A first stream that opens by then is as recent as what the screens have read. */
const promptMs = 5000;

/**
 * Follows the stream until the signal. `onNotice` is given each notice's data once its list is read
 * again, but for the echo of what was just done here.
 */
export async function followLive(
  signal: AbortSignal,
  onNotice: (data: unknown) => void,
): Promise<void> {
  let lastId: string | null = null;
  let pauseMs = firstPauseMs;
  const startedAt = Date.now();
  let missed = false;
  while (!signal.aborted) {
    await online();
    const { connection, close } = connected(signal);
    try {
      const response = await open(lastId, connection);
      if (response.status === 401) {
        return await handleProblem(api.notifications.live, await problemOf(response));
      }
      if (response.ok && response.body) {
        pauseMs = firstPauseMs;
        // Changes made while no stream was open were sent to nobody.
        if (missed || Date.now() - startedAt > promptMs) void readAgain("all");
        for await (const event of eventsOf(response.body)) {
          lastId = event.id ?? lastId;
          await handleEvent(event, onNotice);
        }
      }
    } catch {
      // A cut is ordinary: the stream is opened again below, from the last notice.
    } finally {
      close();
    }
    missed = true;
    await pause(pauseMs * (0.75 + Math.random() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

/** One connection: it ends with the session, and when the network goes; a dead stream only hangs. */
function connected(signal: AbortSignal): { connection: AbortSignal; close: () => void } {
  const ends = new AbortController();
  const end = () => ends.abort();
  addEventListener("offline", end);
  return {
    connection: AbortSignal.any([signal, ends.signal]),
    close: () => removeEventListener("offline", end),
  };
}

async function open(lastId: string | null, signal: AbortSignal): Promise<Response> {
  const headers = bearerOf(api.notifications.live);
  headers.set("accept", "text/event-stream");
  if (lastId !== null) headers.set("last-event-id", lastId);
  return fetch(api.notifications.live.path, { headers, signal, cache: "no-store" });
}

async function handleEvent(
  { name, data }: LiveEvent,
  onNotice: (data: unknown) => void,
): Promise<void> {
  if (name === "session_ended") return endSession("ended");
  if (name === "session_opposed") return endSession("opposed");
  if (name === "notice") {
    const echo = hasJustActed();
    await readAgain(new Set(["notices"]));
    if (!echo) onNotice(data);
  }
  if (name === "changed") await readAgain(changedOf(data));
}

const known: ReadonlySet<unknown> = new Set(topics);
const isTopic = (said: unknown): said is Topic => known.has(said);

/**
 * The topics to read again: all, where a server of another release names topics that this page does not know.
 */
function changedOf(data: unknown): ReadonlySet<Topic> | "all" {
  const what: unknown = (data as Partial<ChangedEvent> | null)?.what;
  return Array.isArray(what) && what.every(isTopic) ? new Set(what) : "all";
}

/** Reads a stream of server-sent events, block by block. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true }).replaceAll("\r", "");
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function eventOf(block: string): LiveEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name && value !== undefined) {
      const before = fields.get(name);
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
    }
  }
  const data = fields.get("data");
  if (data === undefined) return null;
  return { name: fields.get("event") ?? "message", id: fields.get("id") ?? null, data: json(data) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
