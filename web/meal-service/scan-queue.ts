// The scans of this device at the counter of a canteen, kept until the server has recorded them.
import { api } from "#contract/api.ts";
import type { Scan, ScanView } from "#contract/meal-service/counter.ts";
import { canteen as limits } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { createOfflineQueue } from "#web/app/transport/offline-queue.ts";

/** A scan as the device stores it. */
export interface StoredScan {
  canteen: string;
  /** The person it was about, for the lists of the screen. */
  name: string;
  scan: Scan;
  /** The server has it as it is now. */
  sent: boolean;
  result: Pick<ScanView, "conflict"> | null;
}

/** Whether a scan can still be undone. */
export const canUndo = ({ scan, result }: StoredScan, now = Date.now()): boolean =>
  !scan.undoneAt &&
  !result?.conflict &&
  (scan.verdict === "served" || scan.walkIn !== undefined || scan.validated === true) &&
  now - Date.parse(scan.at) <= limits.undoSeconds * 1000;

type OnScanRecorded = (answer: ScanView, item: StoredScan) => void;
let onRecorded: OnScanRecorded = () => {};

const queue = createOfflineQueue<StoredScan>({
  kind: "scan",
  idOf: ({ scan }) => scan.id,
  atOf: ({ scan }) => scan.at,
  isSent: ({ sent }) => sent,
  groupOf: ({ canteen }) => canteen,
  deliver: async (part) => {
    const canteen = part[0]?.canteen ?? "";
    const scans = part.map(({ scan }) => scan);
    const options = { quiet: true, isShown: true };
    const { items } = await call(api.canteen.recordScans, { canteen, scans }, options);
    for (const answer of items) await settle(answer, part);
    return items.length > 0;
  },
  // A conflict waits at the server from then on.
  isSettled: (item) => item.sent && !canUndo(item),
});

/** Newest first. */
export const storedScans = queue.items;
export const { open: openStoredScans, keep: storeScan } = queue;

/** Sends what waits, oldest first; `listener` is called with each answer. One sending at a time. */
export function sendScans(listener: OnScanRecorded): Promise<void> {
  onRecorded = listener;
  return queue.send();
}

async function settle(answer: ScanView, part: readonly StoredScan[]): Promise<void> {
  const before = part.find(({ scan }) => scan.id === answer.id);
  const now = storedScans.get().find(({ scan }) => scan.id === answer.id);
  if (!before || !now) return;
  // Undone while it was on its way: it goes once more.
  const sent = now.scan.undoneAt === before.scan.undoneAt;
  const { conflict } = answer;
  await storeScan({ ...now, sent, result: { conflict } });
  if (conflict) noteChanges(["service"]);
  onRecorded(answer, now);
}
