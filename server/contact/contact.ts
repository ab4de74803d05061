// Contact owns the threads between persons and the customer service. It limits open threads and
// messages an hour; an Idempotency-Key keeps a message once.
import { sql } from "kysely";
import type { ContactConversation, ContactTopic } from "#contract/contact/rows.ts";
import type { contact } from "#contract/contact/rows.ts";
import { Problem } from "#contract/errors.ts";
import { contact as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { attachDocuments } from "#server/documents/documents.ts";
import type { Call } from "#server/http/serve.ts";
import { forgetDraft, sweepDrafts } from "./drafts.ts";
import { messagesOf, messageThing, waitingSinceSql } from "./messages.ts";

/** The common part of the two calls that send a message. */
type MessageCall<Input> = Pick<Call<typeof contact.open>, "deps" | "caller" | "key"> & {
  input: Input;
};

/**
 * A page of a person's threads, the latest message first. `before` is the last message of the last thread
 * seen.
 */
export async function threadsOf(
  db: Db,
  personId: number,
  { before, limit = limits.page }: { before?: number | undefined; limit?: number | undefined },
) {
  const { rows } = await sql<ThreadRow & { last: number }>`
    select ${headColumns}, last_message as last from contact_thread
    where person_id = ${personId} and last_message < ${before ?? Number.MAX_SAFE_INTEGER}
    order by last_message desc limit ${limit + 1}`.execute(db);
  const { items, next } = pageOf(rows, limit, ({ last }) => last);
  return { items: items.map(toThreadView), next };
}

interface ThreadRow {
  id: string;
  number: number;
  topic: ContactTopic;
  subject: string;
  state: "open" | "answered" | "closed";
  at: Date;
  waitingSince: Date | null;
}
const headColumns = sql`id, number, topic, subject, state, updated_at as at,
  ${waitingSinceSql("contact_thread")} as waiting_since`;
const toThreadView = ({ id, number, topic, subject, state, at, waitingSince }: ThreadRow) => ({
  id,
  number,
  topic,
  subject,
  state,
  at: at.toISOString(),
  waitingSince: waitingSince?.toISOString() ?? null,
});

/** One thread of a person with its messages, oldest first; else `not_found`. */
export async function threadOf(db: Db, personId: number, id: string): Promise<ContactConversation> {
  const head = await query(db).maybeOne(sql<ThreadRow>`select ${headColumns} from contact_thread
    where id = ${id} and person_id = ${personId}`);
  if (!head) throw new Problem("not_found");
  const messages = await messagesOf(db, head.number);
  return { ...toThreadView(head), messages: messages.map(({ message }) => message) };
}

/**
 * Opens a thread with its first message and its documents. A repeated Idempotency-Key returns the thread of
 * the first call. Refuses `contact_full`, `contact_pace`, `document_attached`, `idempotency_mismatch`.
 */
export async function openThread(call: Call<typeof contact.open>): Promise<ContactConversation> {
  const { deps, caller, input } = call;
  const [subject, text] = [cleanText(input.subject, "objet"), cleanText(input.text, "message")];
  const me = caller.personId;
  const at = deps.now();
  const id = await oncePerKey(call, async (tx) => {
    await requireThreadAllowed(tx, me);
    const { number } = await query(tx).one(sql<{ number: number }>`
      insert into contact_thread (person_id, topic, subject, created_at, updated_at)
      values (${me}, ${input.topic}, ${subject}, ${at}, ${at}) returning number`);
    await appendMessage(tx, call, { number, text });
    await forgetDraft(tx, me, 0);
    return number;
  });
  return await threadOf(deps.db, me, id);
}

/**
 * Writes to one's own thread, which is then open (again). Refuses `not_found`, `contact_long` beyond 100
 * messages, `contact_full` when it was closed and ten others are open, and as `openThread`.
 */
export async function writeToThread(
  call: Call<typeof contact.write>,
): Promise<ContactConversation> {
  const { deps, caller, input } = call;
  const text = cleanText(input.text, "message");
  const me = caller.personId;
  const id = await oncePerKey(call, async (tx) => {
    const { number, state } = await lockedThread(tx, me, input.id);
    if (state === "closed") await requireThreadAllowed(tx, me);
    const { count } = await query(tx).one(sql<{ count: number }>`
      select count(*) from contact_message
      where thread_number = ${number}`);
    if (count >= limits.messages) throw new Problem("contact_long");
    await appendMessage(tx, call, { number, text });
    await forgetDraft(tx, me, number);
    return number;
  });
  return await threadOf(deps.db, me, id);
}

/** Closes a settled thread. Repeated, it changes nothing; else `not_found`. */
export async function closeThread({
  deps,
  caller,
  input,
}: Call<typeof contact.close>): Promise<ContactConversation> {
  await sql`update contact_thread set state = 'closed' where id = ${input.id}
    and person_id = ${caller.personId}`.execute(deps.db);
  return await threadOf(deps.db, caller.personId, input.id);
}

/** Text without blank ends; throws `invalid_input` for a blank one. */
function cleanText(typed: string, what: string): string {
  const text = typed.replace(/\r\n?/g, "\n").trim();
  if (text === "") throw new Problem("invalid_input", { field: what, what });
  return text;
}

interface MessageInput {
  topic?: ContactTopic;
  id?: string;
  text: string;
  documents?: readonly string[] | undefined;
}

/** Runs `work` unless its key has done so already; returns the id of the thread either way. */
function oncePerKey<Input extends MessageInput>(
  { deps, caller, input, key }: MessageCall<Input>,
  work: (tx: Tx) => Promise<number>,
): Promise<string> {
  const me = caller.personId;
  return inTx(deps.db, async (tx) => {
    // Messages of one person are sent one after the other: the counts below stay true, and a used key is
    // found.
    await sql`select from person where id = ${me} for no key update`.execute(tx);
    const before = key === null ? null : await messageOfKey(tx, me, key);
    if (before && before.fingerprint !== fingerprintOf(input)) {
      throw new Problem("idempotency_mismatch");
    }
    if (before) return before.id;
    const { id } = await query(tx).one(sql<{ id: string }>`select id from contact_thread
      where number = ${await work(tx)}`);
    return id;
  });
}

const fingerprintOf = (input: MessageInput): string => JSON.stringify(input);

async function messageOfKey(tx: Tx, me: number, key: string) {
  return await query(tx).maybeOne(sql<{ id: string; fingerprint: string | null }>`
    select t.id, m.fingerprint from contact_message m
    join contact_thread t on t.number = m.thread_number
    where m.author_id = ${me} and m.key = ${key}`);
}

/** A thread of this person, locked; else `not_found`. */
async function lockedThread(tx: Tx, me: number, id: string) {
  const found = await query(tx).maybeOne(sql<{ number: number; state: string }>`
    select number, state from contact_thread where id = ${id} and person_id = ${me}
    for update`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function requireThreadAllowed(tx: Tx, me: number): Promise<void> {
  const { count } = await query(tx).one(sql<{ count: number }>`select count(*) from contact_thread
    where person_id = ${me} and state <> 'closed'`);
  if (count >= limits.openThreads) {
    throw new Problem("contact_full", { max: limits.openThreads });
  }
}

/** Adds the message of a call to a thread, with its documents. */
async function appendMessage<Input extends MessageInput>(
  tx: Tx,
  { deps, caller, input, key }: MessageCall<Input>,
  { number, text }: { number: number; text: string },
): Promise<void> {
  const me = caller.personId;
  const at = deps.now();
  await requirePace(tx, me, at);
  const { id } = await query(tx).one(sql<{ id: number }>`
    insert into contact_message (thread_number, author_id, text, at, key, fingerprint)
    values (${number}, ${me}, ${text}, ${at}, ${key}, ${key && fingerprintOf(input)})
    returning id`);
  await attachDocuments(tx, { personId: me, ids: input.documents ?? [], to: messageThing(id), at });
  await sql`update contact_thread set state = 'open', updated_at = ${at}, last_message = ${id}
    where number = ${number}`.execute(tx);
}

async function requirePace(tx: Tx, me: number, at: Date): Promise<void> {
  const { count, first } = await query(tx).one(sql<{ count: number; first: Date | null }>`
    select count(*), min(at) as first from contact_message
    where author_id = ${me} and at > ${at}::timestamptz - interval '1 hour'`);
  if (count < limits.messagesPerHour || first === null) return;
  const seconds = Math.max(1, Math.ceil((first.getTime() + 3_600_000 - at.getTime()) / 1000));
  throw new Problem("contact_pace", { seconds, minutes: Math.ceil(seconds / 60) });
}

/** The job of this room: deletes abandoned drafts. */
export function contactTasks({ db, now }: Deps) {
  return { sweep_contact_drafts: () => sweepDrafts(db, now()) };
}
export const contactRoutines = [{ task: "sweep_contact_drafts", cron: "35 3 * * *" }] as const;
