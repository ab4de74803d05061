// Live events: one listening connection per process wakes the streams of the persons concerned. Streams read
// their events from the tables, also without a wake-up at every heartbeat, so a lost wake-up delays a notice
// and loses none.
import { PassThrough } from "node:stream";
import { sql } from "kysely";
import { Client, type Pool } from "pg";
import type { ChangedEvent } from "#contract/notifications/rows.ts";
import { namedUrl } from "#server/db/named-url.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import { liveChannel, toNoticeView, type LiveEvent } from "./notice.ts";

const heartbeatMs = 20_000;
const maxStreamsPerPerson = 8;
const maxReplayed = 100;
/** A reader with this much unread is gone or stuck: it reconnects with its last id. */
const maxUnreadBytes = 64 * 1024;
const maxRetryMs = 10_000;

interface Stream {
  out: PassThrough;
  sessionId: string;
  personId: number;
  /** Notices up to this id are sent; those above are looked up in `sent`. */
  floor: number;
  /** The highest id sent, at the last two heartbeats: see `raiseFloor`. */
  highest: number;
  highestBefore: number;
  sent: Set<number>;
}

interface Hub {
  deps: Deps;
  streams: Set<Stream>;
  /** Streams that are being opened, for which the hub stays. */
  opening: number;
  listener: Client | null;
  /** Settles when listening has begun, or failed once. */
  listening: Promise<void>;
  /** Whether streams may have missed a wake-up since. */
  gap: boolean;
  retryMs: number;
  heartbeat: NodeJS.Timeout;
  closed: boolean;
  /** Reads follow one another: two at once could send one notice twice. */
  looking: Promise<void>;
}

// One hub for each pool, that is for each server: tests run several in one process.
const hubs = new WeakMap<Pool, Hub>();

/**
 * Opens the stream of events of a caller: `notice` with its id, `changed` with the topics to read again,
 * `session_ended` or `session_opposed` before it closes. `lastEventId` replays the notices missed since
 * (spec.md 15).
 */
export async function openStream(
  deps: Deps,
  caller: Caller,
  lastEventId: number | null,
): Promise<PassThrough> {
  const hub = hubOf(deps);
  hub.opening += 1;
  try {
    await hub.listening;
    const from = lastEventId ?? (await newestNotice(deps, caller.personId));
    const stream = streamFrom(from, caller);
    admit(hub, stream);
    await sendNewNotices(hub, [stream]);
    return stream.out;
  } finally {
    hub.opening -= 1;
    closeIfIdle(hub);
  }
}

function streamFrom(from: number, { sessionId, personId }: Caller): Stream {
  const out = new PassThrough();
  out.write("retry: 3000\n: bonjour\n\n");
  const sent = new Set<number>();
  return { out, sessionId, personId, floor: from, highest: from, highestBefore: from, sent };
}

function admit(hub: Hub, stream: Stream): void {
  stream.out.on("close", () => forget(hub, stream));
  stream.out.on("error", () => forget(hub, stream));
  const others = [...hub.streams].filter((other) => other.personId === stream.personId);
  // Removed at once, not at the close event: streams that open meanwhile must not count it.
  for (const oldest of others.slice(0, Math.max(0, others.length - maxStreamsPerPerson + 1))) {
    hub.streams.delete(oldest);
    oldest.out.end();
  }
  hub.streams.add(stream);
  // The server began to drain while this stream was being opened.
  if (hub.closed) stream.out.end();
}

/** Ends every stream of this server and its listening connection: the server is draining. */
export function closeStreams(deps: Deps): void {
  const hub = hubs.get(deps.pool);
  if (!hub) return;
  for (const stream of hub.streams) stream.out.end();
  close(hub);
}

function hubOf(deps: Deps): Hub {
  const known = hubs.get(deps.pool);
  if (known && !known.closed) return known;
  const hub: Hub = {
    deps,
    streams: new Set(),
    opening: 0,
    listener: null,
    listening: Promise.resolve(),
    gap: false,
    retryMs: 100,
    heartbeat: setInterval(() => void sendHeartbeat(hub), heartbeatMs),
    closed: false,
    looking: Promise.resolve(),
  };
  hub.heartbeat.unref();
  hubs.set(deps.pool, hub);
  hub.listening = listen(hub);
  return hub;
}

function forget(hub: Hub, stream: Stream): void {
  hub.streams.delete(stream);
  closeIfIdle(hub);
}

function closeIfIdle(hub: Hub): void {
  if (hub.streams.size === 0 && hub.opening === 0) close(hub);
}

function close(hub: Hub): void {
  hub.closed = true;
  clearInterval(hub.heartbeat);
  hub.listener?.end().catch(() => {});
  hub.listener = null;
}

// One connection outside the pool, because it stays in use for as long as somebody listens.
async function listen(hub: Hub): Promise<void> {
  const client = new Client({
    connectionString: namedUrl(hub.deps, "ma-carte live"),
    connectionTimeoutMillis: 2_000,
  });
  let gone = false;
  const again = () => {
    if (gone) return;
    gone = true;
    client.end().catch(() => {});
    if (hub.closed) return;
    hub.listener = null;
    hub.gap = true;
    setTimeout(() => hub.closed || void listen(hub), hub.retryMs).unref();
    hub.retryMs = Math.min(hub.retryMs * 2, maxRetryMs);
  };
  client.on("error", again);
  client.on("end", again);
  client.on("notification", ({ payload }) => void onLiveEvent(hub, payload ?? ""));
  try {
    await client.connect();
    await client.query(`listen ${liveChannel}`);
    if (hub.closed) return await client.end();
    hub.listener = client;
    hub.retryMs = 100;
    if (hub.gap) closeGap(hub);
  } catch {
    again();
  }
}

// Notices written while nobody listened are found by reading; other changes are not, so screens read all
// again.
function closeGap(hub: Hub): void {
  hub.gap = false;
  const streams = [...hub.streams];
  void sendNewNotices(hub, streams);
  for (const stream of streams) changed(stream, "all");
}

async function onLiveEvent(hub: Hub, payload: string): Promise<void> {
  const liveEvent = parseLiveEvent(payload);
  const streams = [...hub.streams].filter((stream) => stream.personId === liveEvent?.person);
  if (!liveEvent || streams.length === 0) return;
  await sendNewNotices(hub, streams);
  if (!liveEvent.changed) return;
  for (const stream of streams) changed(stream, liveEvent.changed);
}

function parseLiveEvent(payload: string): LiveEvent | null {
  try {
    return JSON.parse(payload) as LiveEvent;
  } catch {
    return null;
  }
}

async function sendHeartbeat(hub: Hub): Promise<void> {
  const streams = [...hub.streams];
  for (const stream of streams) stream.out.write(": \n\n");
  await sendNewNotices(hub, streams);
  for (const stream of streams) raiseFloor(stream);
}

// Ids are given before their transactions commit, so a lower id may appear after a higher one: the floor
// stays two heartbeats behind, longer than a transaction may stay open.
function raiseFloor(stream: Stream): void {
  stream.floor = stream.highestBefore;
  stream.highestBefore = stream.highest;
  for (const id of stream.sent) if (id <= stream.floor) stream.sent.delete(id);
}

/** Sends new notices to `streams`, and ends those whose session is no longer valid. */
function sendNewNotices(hub: Hub, streams: readonly Stream[]): Promise<void> {
  const before = hub.looking;
  hub.looking = (async () => {
    await before;
    await sendNewNoticesNow(hub, streams);
  })();
  return hub.looking;
}

async function sendNewNoticesNow(hub: Hub, streams: readonly Stream[]): Promise<void> {
  const open = streams.filter((stream) => hub.streams.has(stream));
  if (open.length === 0) return;
  try {
    await endClosedSessions(hub.deps, open);
    await sendNotices(hub.deps, open);
  } catch (error) {
    hub.deps.log.warn({ err: error }, "live events wait for the database");
  }
}

async function endClosedSessions(deps: Deps, streams: readonly Stream[]): Promise<void> {
  const { rows } = await sql<{ id: string; opposed: boolean; open: boolean }>`
    select session.id, session.ended_why is not distinct from 'opposition' as opposed,
      session.ended_at is null and session.ends_at > ${deps.now()}::timestamptz
        and person.disabled_at is null as open
    from session join person on person.id = session.person_id
     where session.id = any(${streams.map((stream) => stream.sessionId)}::uuid[])`.execute(deps.db);
  const sessions = new Map(rows.map((row) => [row.id, row]));
  for (const stream of streams) {
    const session = sessions.get(stream.sessionId);
    if (session?.open) continue;
    send(stream, session?.opposed ? "session_opposed" : "session_ended", {});
    stream.out.end();
  }
}

type WatchedNoticeRow = Parameters<typeof toNoticeView>[0] & { personId: number };

async function sendNotices(deps: Deps, streams: readonly Stream[]): Promise<void> {
  const floors = new Map<number, number>();
  for (const { personId, floor } of streams) {
    floors.set(personId, Math.min(floor, floors.get(personId) ?? floor));
  }
  const { rows } = await sql<WatchedNoticeRow>`
    select notice.* from unnest(${[...floors.keys()]}::bigint[], ${[...floors.values()]}::bigint[])
      as watched (person_id, floor),
      lateral (select * from notification
                where notification.person_id = watched.person_id
                  and notification.id > watched.floor
                order by id limit ${maxReplayed}) notice
     order by notice.id`.execute(deps.db);
  for (const row of rows) {
    for (const stream of streams) {
      if (stream.personId !== row.personId || row.id <= stream.floor) continue;
      if (stream.sent.has(row.id)) continue;
      stream.sent.add(row.id);
      stream.highest = Math.max(stream.highest, row.id);
      send(stream, "notice", toNoticeView(row), row.id);
    }
  }
}

async function newestNotice({ db }: Deps, personId: number): Promise<number> {
  const { id } = await db
    .selectFrom("notification")
    .select(sql<number>`coalesce(max(id), 0)`.as("id"))
    .where("personId", "=", personId)
    .executeTakeFirstOrThrow();
  return id;
}

const changed = (stream: Stream, what: ChangedEvent["what"]) =>
  send(stream, "changed", { what } satisfies ChangedEvent);

function send(stream: Stream, event: string, data: unknown, id?: number): void {
  if (stream.out.writableEnded) return;
  const named = id === undefined ? "" : `id: ${id}\n`;
  stream.out.write(`${named}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  if (stream.out.writableLength + stream.out.readableLength > maxUnreadBytes) stream.out.end();
}
