// The channel between the tabs of this browser: "opened", "leaving" and "ended" are sent about the session.

let channel: BroadcastChannel | undefined;

/** Absent in browsers that have none; a tab does not receive its own messages. */
export function otherTabs(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  channel ??= new BroadcastChannel("ma-carte");
  return channel;
}
