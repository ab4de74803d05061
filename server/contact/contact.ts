// Contact owns what people write to the customer service and what it answers. It refuses too much at
// once, and never keeps one message twice.
import { sql } from "kysely";
import type { ContactConversation, ContactTopic } from "#contract/contact.ts";
import type { Parsed } from "#contract/endpoint.ts";
import type { contact } from "#contract/contact.ts";
import { Problem } from "#contract/errors.ts";
import { contact as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { attachDocuments, documentsOf } from "#server/documents/documents.ts";
import type { Caller } from "#server/http/caller.ts";
import { forgetDraft, sweepDrafts } from "./drafts.ts";

interface Act<Input> {
  deps: Deps;
  caller: Caller;
  input: Input;
  key: string | null;
}

export { contactCommands } from "./desk.ts";

/** What a message's documents are attached to. */
export const thingOf = (messageId: number) => ({ kind: "contact", id: String(messageId) });

/**
 * A page of a person's threads, the one last written to first. `before` is the last message of the last
 * one seen.
 */
export async function threadsOf(
  db: Db,
  personId: number,
  { before, limit = limits.page }: { before?: number | undefined; limit?: number | undefined },
) {
  const { rows } = await sql<Head & { last: number }>`
    select ${headColumns}, last_message as last from contact_thread
    where person_id = ${personId} and last_message < ${before ?? Number.MAX_SAFE_INTEGER}
    order by last_message desc limit ${limit + 1}`.execute(db);
  const items = rows.slice(0, limit);
  return {
    items: items.map(shown),
    next: rows.length > limit ? (items.at(-1)?.last ?? null) : null,
  };
}

interface Head {
  id: string;
  number: number;
  topic: ContactTopic;
  subject: string;
  state: "open" | "answered" | "closed";
  at: Date;
}
const headColumns = sql`id, number, topic, subject, state, updated_at as at`;
const shown = ({ id, number, topic, subject, state, at }: Head) => ({
  id,
  number,
  topic,
  subject,
  state,
  at: at.toISOString(),
});

/** One thread of a person with its messages, oldest first; else `not_found`. */
export async function threadOf(db: Db, personId: number, id: string): Promise<ContactConversation> {
  const { rows } = await sql<Head>`select ${headColumns} from contact_thread
    where id = ${id} and person_id = ${personId}`.execute(db);
  const head = rows[0];
  if (!head) throw new Problem("not_found");
  const messages = await messagesOf(db, head.number);
  return { ...shown(head), messages: messages.map(({ message }) => message) };
}

/** The messages of a thread with who answered, oldest first. */
export async function messagesOf(db: Db, number: number) {
  const { rows } = await sql<{ id: number; operator: string | null; text: string; at: Date }>`
    select id, operator, text, at from contact_message
    where thread_number = ${number} order by id`.execute(db);
  const documents = await documentsOf(
    db,
    rows.map(({ id }) => thingOf(id)),
  );
  return rows.map(({ id, operator, text, at }) => ({
    operator,
    message: {
      id,
      from: operator === null ? ("me" as const) : ("team" as const),
      text,
      at: at.toISOString(),
      documents: documents
        .filter(({ of }) => of === String(id))
        .map((one) => ({ id: one.id, name: one.name, kind: one.kind, bytes: one.bytes })),
    },
  }));
}

/**
 * Opens a thread with its first message and its documents. The same Idempotency-Key answers the thread
 * of the first time. Refuses `contact_full`, `contact_pace`, `document_attached`,
 * `idempotency_mismatch`.
 */
export async function openThread(
  act: Act<Parsed<typeof contact.open>>,
): Promise<ContactConversation> {
  const { deps, caller, input } = act;
  const [subject, text] = [written(input.subject, "objet"), written(input.text, "message")];
  const me = caller.personId;
  const at = deps.now();
  const id = await once(act, async (tx) => {
    await refuseTooMany(tx, me);
    const { rows } = await sql<{ number: number }>`
      insert into contact_thread (person_id, topic, subject, created_at, updated_at)
      values (${me}, ${input.topic}, ${subject}, ${at}, ${at}) returning number`.execute(tx);
    const number = rows[0]?.number ?? 0;
    await append(tx, act, { number, text });
    await forgetDraft(tx, me, 0);
    return number;
  });
  return await threadOf(deps.db, me, id);
}

/**
 * Writes to one's own thread, which is open (again). Refuses `not_found`, `contact_long` beyond 100
 * messages, `contact_full` when it was closed and ten others are open, and as `openThread`.
 */
export async function writeToThread(
  act: Act<Parsed<typeof contact.write>>,
): Promise<ContactConversation> {
  const { deps, caller, input } = act;
  const text = written(input.text, "message");
  const me = caller.personId;
  const id = await once(act, async (tx) => {
    const { number, state } = await lockedThread(tx, me, input.id);
    if (state === "closed") await refuseTooMany(tx, me);
    const { rows } = await sql<{ count: number }>`select count(*) from contact_message
      where thread_number = ${number}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= limits.messages) throw new Problem("contact_long");
    await append(tx, act, { number, text });
    await forgetDraft(tx, me, number);
    return number;
  });
  return await threadOf(deps.db, me, id);
}

/** Says that a thread is settled. Said again it changes nothing; else `not_found`. */
export async function closeThread({
  deps,
  caller,
  input,
}: Act<{ id: string }>): Promise<ContactConversation> {
  await sql`update contact_thread set state = 'closed' where id = ${input.id}
    and person_id = ${caller.personId}`.execute(deps.db);
  return await threadOf(deps.db, caller.personId, input.id);
}

/** Text without blank ends; one that is blank is none. */
function written(typed: string, what: string): string {
  const text = typed.replace(/\r\n?/g, "\n").trim();
  if (text === "") throw new Problem("invalid_input", { field: what, what });
  return text;
}

interface Addressed {
  topic?: ContactTopic;
  id?: string;
  text: string;
  documents?: readonly string[] | undefined;
}

/** Runs `work` unless its key has done so already; gives the id of the thread either way. */
function once<Input extends Addressed>(
  { deps, caller, input, key }: Act<Input>,
  work: (tx: Tx) => Promise<number>,
): Promise<string> {
  const me = caller.personId;
  return inTx(deps.db, async (tx) => {
    // What one person sends goes one after the other: the counts below hold, a key is seen.
    await sql`select from person where id = ${me} for no key update`.execute(tx);
    const before = key === null ? null : await sentUnder(tx, me, key);
    if (before && before.fingerprint !== fingerprintOf(input)) {
      throw new Problem("idempotency_mismatch");
    }
    if (before) return before.id;
    const { rows } = await sql<{ id: string }>`select id from contact_thread
      where number = ${await work(tx)}`.execute(tx);
    return rows[0]?.id ?? "";
  });
}

const fingerprintOf = (input: Addressed): string => JSON.stringify(input);

async function sentUnder(tx: Tx, me: number, key: string) {
  const { rows } = await sql<{ id: string; fingerprint: string }>`
    select t.id, m.fingerprint from contact_message m
    join contact_thread t on t.number = m.thread_number
    where m.author_id = ${me} and m.key = ${key}`.execute(tx);
  return rows[0] ?? null;
}

/** A thread of this person, locked; else `not_found`. */
async function lockedThread(tx: Tx, me: number, id: string) {
  const { rows } = await sql<{ number: number; state: string }>`
    select number, state from contact_thread where id = ${id} and person_id = ${me}
    for update`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

async function refuseTooMany(tx: Tx, me: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) from contact_thread
    where person_id = ${me} and state <> 'closed'`.execute(tx);
  if ((rows[0]?.count ?? 0) >= limits.openThreads) {
    throw new Problem("contact_full", { most: limits.openThreads });
  }
}

/** Adds the message of an act to a thread, with its documents. */
async function append<Input extends Addressed>(
  tx: Tx,
  { deps, caller, input, key }: Act<Input>,
  { number, text }: { number: number; text: string },
): Promise<void> {
  const me = caller.personId;
  const at = deps.now();
  await refusePace(tx, me, at);
  const { rows } = await sql<{ id: number }>`
    insert into contact_message (thread_number, author_id, text, at, key, fingerprint)
    values (${number}, ${me}, ${text}, ${at}, ${key}, ${key && fingerprintOf(input)})
    returning id`.execute(tx);
  const id = rows[0]?.id ?? 0;
  await attachDocuments(tx, { personId: me, ids: input.documents ?? [], to: thingOf(id), at });
  await sql`update contact_thread set state = 'open', updated_at = ${at}, last_message = ${id}
    where number = ${number}`.execute(tx);
}

async function refusePace(tx: Tx, me: number, at: Date): Promise<void> {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select count(*), min(at) as first from contact_message
    where author_id = ${me} and at > ${at}::timestamptz - interval '1 hour'`.execute(tx);
  const { count = 0, first = null } = rows[0] ?? {};
  if (count < limits.messagesPerHour || first === null) return;
  const seconds = Math.max(1, Math.ceil((first.getTime() + 3_600_000 - at.getTime()) / 1000));
  throw new Problem("contact_pace", { seconds, minutes: Math.ceil(seconds / 60) });
}

/** The job of this room: drafts that nobody came back to are forgotten. */
export function contactTasks({ db, now }: Deps) {
  return { sweep_contact_drafts: () => sweepDrafts(db, now()) };
}
export const contactRoutines = [{ task: "sweep_contact_drafts", cron: "35 3 * * *" }] as const;
