// Drains HTTP connections before exit: requests in flight are answered, keep-alive connections get
// `Connection: close`, and those left at the deadline are closed.
import type { ServerResponse } from "node:http";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { unavailableBody, unavailableHeaders } from "./placeholder.ts";

const deadlineMs = 7000;
/** Keep-alive connections are served until none has sent a request for this long, each answer their last. */
const quietMs = 250;
/** New connections are accepted until none has come for this long and so many turns of the loop. */
const accepting = { quietMs: 50, quietTurns: 5, longestMs: 4000 };

interface Flow {
  inFlight: Set<ServerResponse>;
  closing: boolean;
  lastConnectionAt: number;
  lastRequestAt: number;
}
const flows = new WeakMap<FastifyInstance, Flow>();

/** Tracks the answers in flight of `app`; call it before `listen`. */
export function followRequests(app: FastifyInstance): void {
  const flow: Flow = {
    inFlight: new Set(),
    closing: false,
    lastConnectionAt: 0,
    lastRequestAt: 0,
  };
  flows.set(app, flow);
  app.server.on("connection", () => {
    flow.lastConnectionAt = performance.now();
  });
  app.server.prependListener("request", (_request, response: ServerResponse) => {
    if (flow.closing) response.setHeader("connection", "close");
    flow.lastRequestAt = performance.now();
    flow.inFlight.add(response);
    response.once("close", () => flow.inFlight.delete(response));
  });
}

/**
 * Answers requests in flight and those that still come on keep-alive connections, each answer being the last
 * of its connection, then closes. Closing at once would cut a connection on which a request is just arriving,
 * and would wait for each idle one to time out.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const flow = flows.get(app);
  const startedAt = performance.now();
  const deadline = setTimeout(() => void give(app, flow), deadlineMs);
  if (flow) {
    await accepted(flow);
    flow.closing = true;
  }
  for (const response of flow?.inFlight ?? []) {
    if (!response.headersSent) response.setHeader("connection", "close");
    else if (isStream(response)) response.end();
  }
  try {
    // No new connections; the method of http.Server would also cut the idle ones, of which one may have a
    // request on its way. Fastify's own close does not wait for a server closed before.
    const ended = new Promise((resolve) => Server.prototype.close.call(app.server, resolve));
    if (flow) await quiet(flow, startedAt + deadlineMs - 1000);
    await app.close();
    await ended;
  } finally {
    clearTimeout(deadline);
  }
}

// Connections that wait to be accepted, one per turn of the event loop, would be reset by closing. Turns are
// counted beside the time: on a busy machine one of them may last longer than the quiet time.
async function accepted(flow: Flow): Promise<void> {
  const startedAt = performance.now();
  for (let turns = 0, last = 0; performance.now() - startedAt < accepting.longestMs; turns++) {
    const { lastConnectionAt } = flow;
    if (lastConnectionAt !== last) turns = 0;
    last = lastConnectionAt;
    const stillMs = performance.now() - Math.max(lastConnectionAt, startedAt);
    if (turns >= accepting.quietTurns && stillMs >= accepting.quietMs) return;
    await sleep(5);
  }
}

// Under load a request may wait unread in the system's buffers: its connection looks idle until then.
async function quiet(flow: Flow, until: number): Promise<void> {
  const startedAt = performance.now();
  const isBusy = () => [...flow.inFlight].some((response) => !response.headersSent);
  const lastAt = () => Math.max(flow.lastRequestAt, startedAt);
  while (performance.now() < until) {
    await sleep(25);
    if (!isBusy() && performance.now() - lastAt() > quietMs) return;
  }
}

// Requests still waiting at the deadline get a 503 with Retry-After: a cut connection would tell the client
// nothing. The work may still commit; the client repeats the call under its idempotency key.
async function give(app: FastifyInstance, flow: Flow | undefined): Promise<void> {
  for (const response of flow?.inFlight ?? []) {
    if (response.headersSent) continue;
    response.writeHead(503, { ...unavailableHeaders, connection: "close" });
    response.end(unavailableBody());
  }
  await sleep(500);
  app.server.closeAllConnections();
}

// A live stream never ends by itself; its client reconnects, to another process or to the next one.
const isStream = (response: ServerResponse) =>
  String(response.getHeader("content-type") ?? "").startsWith("text/event-stream");
