// What this device did at the counter of a canteen, kept until the server has it.
import { api } from "#contract/api.ts";
import type { Scan, Scanned } from "#contract/canteen/counter.ts";
import { canteen as limits } from "#contract/limits.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { keptQueue } from "#web/app/transport/kept-queue.ts";

/** A scan as the device keeps it. */
export interface KeptScan {
  canteen: string;
  /** Who it was about, for the lists of the screen. */
  name: string;
  scan: Scan;
  /** The server has it as it is now. */
  sent: boolean;
  result: Pick<Scanned, "conflict"> | null;
}

/** Whether a scan can still be undone. */
export const canUndo = ({ scan, result }: KeptScan, now = Date.now()): boolean =>
  !scan.undoneAt &&
  !result?.conflict &&
  (scan.verdict === "served" || scan.walkIn !== undefined || scan.validated === true) &&
  now - Date.parse(scan.at) <= limits.undoSeconds * 1000;

type OnTold = (told: Scanned, item: KeptScan) => void;
let onTold: OnTold = () => {};

const queue = keptQueue<KeptScan>({
  kind: "scan",
  idOf: ({ scan }) => scan.id,
  atOf: ({ scan }) => scan.at,
  isSent: ({ sent }) => sent,
  groupOf: ({ canteen }) => canteen,
  deliver: async (part) => {
    const canteen = part[0]?.canteen ?? "";
    const scans = part.map(({ scan }) => scan);
    const kept = { quiet: true, isShown: true };
    const { items } = await call(api.canteen.recordScans, { canteen, scans }, kept);
    for (const told of items) await settle(told, part);
    return items.length > 0;
  },
  // A conflict waits at the server from then on.
  isSettled: (item) => item.sent && !canUndo(item),
});

/** Newest first. */
export const keptScans = queue.items;
export const { open: openKeptScans, keep: keepScan } = queue;

/** Sends what waits, oldest first; `told` is given each answer. One sending at a time. */
export function sendScans(told: OnTold): Promise<void> {
  onTold = told;
  return queue.send();
}

async function settle(told: Scanned, part: readonly KeptScan[]): Promise<void> {
  const before = part.find(({ scan }) => scan.id === told.id);
  const now = keptScans.get().find(({ scan }) => scan.id === told.id);
  if (!before || !now) return;
  // Undone while it was on its way: it goes once more.
  const sent = now.scan.undoneAt === before.scan.undoneAt;
  const { conflict } = told;
  await keepScan({ ...now, sent, result: { conflict } });
  if (conflict) noteChanges(["service"]);
  onTold(told, now);
}
