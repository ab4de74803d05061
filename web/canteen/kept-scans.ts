// What this device did at the counter: each scan sealed by itself to its author, kept through reload and
// logout until the server has it, sent in order.
import { api } from "#contract/api.ts";
import type { Scan, Scanned } from "#contract/canteen/counter.ts";
import { canteen as limits } from "#contract/limits.ts";
import { ApiProblem, call } from "#web/app/api.ts";
import { observed } from "#web/app/observed.ts";
import { unsent } from "#web/app/sealed.ts";
import { lastUser, sealed } from "#web/app/session.ts";

/** A scan as the device keeps it. */
export interface KeptScan {
  canteen: string;
  /** Who it was about, for the lists of the screen. */
  name: string;
  scan: Scan;
  /** The server has it as it is now. */
  sent: boolean;
  result: Pick<Scanned, "conflict" | "servedAt"> | null;
}

const longestMs = 30 * 24 * 3600 * 1000;
const batch = 50;

/** Newest first. */
export const keptScans = observed<readonly KeptScan[]>([]);

let author = "";
let sending: Promise<void> | null = null;

const nameOf = (id: string) => `${unsent}scan/${author}/${id}`;

/** Reads what this author left here; others' stays sealed. */
export async function openKeptScans(): Promise<void> {
  author = lastUser()?.objectID ?? "";
  const names = sealed.names(nameOf(""));
  const read = await Promise.all(names.map((name) => sealed.get(name, author)));
  const items = read.filter((one) => one !== null) as KeptScan[];
  keptScans.set(items.toSorted((a, b) => b.scan.at.localeCompare(a.scan.at)));
}

/** Keeps a scan, new or changed. */
export async function keepScan(item: KeptScan): Promise<void> {
  const others = keptScans.get().filter(({ scan }) => scan.id !== item.scan.id);
  keptScans.set([item, ...others].toSorted((a, b) => b.scan.at.localeCompare(a.scan.at)));
  await sealed.put(nameOf(item.scan.id), author, item, Date.now() + longestMs);
}

/** Whether a scan can still be undone. */
export const canUndo = ({ scan, result }: KeptScan, now = Date.now()): boolean =>
  !scan.undoneAt &&
  !result?.conflict &&
  (scan.verdict === "served" || scan.walkIn !== undefined || scan.validated === true) &&
  now - Date.parse(scan.at) <= limits.undoSeconds * 1000;

/** Takes away what is settled: sent, without a conflict that nobody has read, too old to be undone. */
function tidy(): void {
  const settled = (item: KeptScan) => item.sent && !item.result?.conflict && !canUndo(item);
  for (const { scan } of keptScans.get().filter(settled)) sealed.remove(nameOf(scan.id));
  keptScans.set(keptScans.get().filter((item) => !settled(item)));
}

/** The person at the counter has read a conflict. */
export function dismissConflict(id: string): void {
  sealed.remove(nameOf(id));
  keptScans.set(keptScans.get().filter(({ scan }) => scan.id !== id));
}

/** Sends what waits, oldest first; `onTold` is given each answer. One sending at a time. */
export function sendScans(onTold: (told: Scanned, item: KeptScan) => void): Promise<void> {
  sending ??= sendAll(onTold).finally(() => (sending = null));
  return sending;
}

async function sendAll(onTold: (told: Scanned, item: KeptScan) => void): Promise<void> {
  for (;;) {
    const waiting = keptScans
      .get()
      .filter(({ sent }) => !sent)
      .toReversed();
    const canteen = waiting[0]?.canteen;
    if (!canteen) return tidy();
    const part = waiting.filter((item) => item.canteen === canteen).slice(0, batch);
    const scans = part.map(({ scan }) => scan);
    try {
      const { items } = await call(api.canteen.recordScans, { canteen, scans }, { quiet: true });
      for (const told of items) await settle(told, part, onTold);
    } catch (problem) {
      // Without an answer they wait for the next time; what is refused waits for the person to come back.
      if (problem instanceof ApiProblem) return;
      throw problem;
    }
  }
}

async function settle(
  told: Scanned,
  part: readonly KeptScan[],
  onTold: (told: Scanned, item: KeptScan) => void,
): Promise<void> {
  const before = part.find(({ scan }) => scan.id === told.id);
  const now = keptScans.get().find(({ scan }) => scan.id === told.id);
  if (!before || !now) return;
  // Undone while it was on its way: it goes once more.
  const sent = now.scan.undoneAt === before.scan.undoneAt;
  const { conflict, servedAt } = told;
  await keepScan({ ...now, sent, result: { conflict, servedAt } });
  onTold(told, now);
}
