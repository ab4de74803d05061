// The line between the tabs of this browser: "opened", "leaving" and "ended" are said of the session.

let channel: BroadcastChannel | undefined;

/** Absent in browsers that have none; what a tab says on it, it does not hear itself. */
export function otherTabs(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  channel ??= new BroadcastChannel("ma-carte");
  return channel;
}
