// Online or offline, by the browser's events and its initial status (spec §2, §4).

export const connectivity = {
  get: (): boolean => globalThis.navigator?.onLine ?? true,
  subscribe: (listener: () => void): (() => void) => {
    addEventListener("online", listener);
    addEventListener("offline", listener);
    return () => {
      removeEventListener("online", listener);
      removeEventListener("offline", listener);
    };
  },
};

/** Resolves at once online, else when the connection comes back. */
export function online(): Promise<void> {
  if (connectivity.get()) return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("online", () => resolve(), { once: true });
  });
}
