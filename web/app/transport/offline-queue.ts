// The offline queue of a counter: actions that the server does not know yet, each sealed by itself to its
// author, kept through reload, crash and logout until the server has answered it, sent in order.
import { http } from "#contract/limits.ts";
import { ApiProblem } from "./api.ts";
import { type Observed, observed } from "./observed.ts";
import { unsent } from "./sealed.ts";
import { noteAnswer } from "./server-answers.ts";
import { lastUser, sealed } from "./session.ts";

const maxAgeMs = 30 * 24 * 3600 * 1000;
const batch = 50;
/** Of one call, in bytes of JSON; what a call says beside its actions has room in the rest of a body. */
const batchBytes = (http.bodyBytes * 5) / 8;

interface QueueOf<Item> {
  /**
   * Tells the actions of one counter from those of another; part of the names under which they are stored.
   */
  kind: string;
  idOf: (item: Item) => string;
  /** When it was done, as an ISO instant: they are sent in this order. */
  atOf: (item: Item) => string;
  isSent: (item: Item) => boolean;
  /** Actions of one group go in one call. */
  groupOf: (item: Item) => string;
  /**
   * Sends actions of one group, the oldest first, and stores the answers; false when nothing was answered, so
   * that they wait for the next time.
   */
  deliver: (part: readonly Item[]) => Promise<boolean>;
  /** Sent, read and needed no more. */
  isSettled: (item: Item) => boolean;
}

export interface OfflineQueue<Item> {
  /** Newest first. */
  items: Pick<Observed<readonly Item[]>, "get" | "subscribe">;
  /** Reads what this author left here, in another tab too; others' stays sealed. */
  open: () => Promise<void>;
  /** Stores an action, new or changed; rejects where the browser has no room for it. */
  keep: (item: Item) => Promise<void>;
  /** Forgets an action whose answer was read. */
  dismiss: (id: string) => void;
  /** Sends what waits, oldest first. One sending at a time. */
  send: () => Promise<void>;
}

/** As many of the oldest as one call takes, one at least. */
function firstOf<Item>(part: readonly Item[]): readonly Item[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = part.slice(0, batch).findIndex((item, index) => {
    bytes += encoder.encode(JSON.stringify(item)).length;
    return index > 0 && bytes > batchBytes;
  });
  return part.slice(0, end === -1 ? batch : end);
}

/** The queue of one kind of counter on this device. */
export function createOfflineQueue<Item>(of: QueueOf<Item>): OfflineQueue<Item> {
  const items = observed<readonly Item[]>([]);
  let author = "";
  let sending: Promise<void> | null = null;
  const nameOf = (id: string) => `${unsent}${of.kind}/${author}/${id}`;
  const newestFirst = (list: readonly Item[]) =>
    list.toSorted((a, b) => of.atOf(b).localeCompare(of.atOf(a)));

  const open = async () => {
    author = lastUser()?.objectID ?? "";
    const names = sealed.names(nameOf(""));
    const read = await Promise.all(names.map((name) => sealed.get(name, author)));
    items.set(newestFirst(read.filter((one) => one !== null) as Item[]));
  };

  const keep = async (item: Item) => {
    const others = items.get().filter((one) => of.idOf(one) !== of.idOf(item));
    items.set(newestFirst([item, ...others]));
    await sealed.put(nameOf(of.idOf(item)), author, item, Date.now() + maxAgeMs);
  };

  const dismiss = (id: string) => {
    sealed.remove(nameOf(id));
    items.set(items.get().filter((one) => of.idOf(one) !== id));
  };

  const sendAll = async () => {
    for (;;) {
      const waiting = items
        .get()
        .filter((item) => !of.isSent(item))
        .toReversed();
      const [first] = waiting;
      if (first === undefined) break;
      const part = waiting.filter((item) => of.groupOf(item) === of.groupOf(first));
      try {
        const anyDelivered = await of.deliver(firstOf(part));
        noteAnswer(null);
        if (!anyDelivered) break;
      } catch (problem) {
        // Without an answer they wait for the next time; what is refused waits for the person to come back.
        if (!(problem instanceof ApiProblem)) throw problem;
        noteAnswer(problem);
        return;
      }
    }
    for (const item of items.get().filter(of.isSettled)) dismiss(of.idOf(item));
  };

  const send = () => (sending ??= sendAll().finally(() => (sending = null)));
  return { items, open, keep, dismiss, send };
}
