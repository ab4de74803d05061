// A value that screens and plain modules can watch. It has the shape that React's
// useSyncExternalStore wants, and needs no React, so that the prerendered login can use it too.

export interface Observed<T> {
  get: () => T;
  set: (value: T) => void;
  /** Calls back after each change; answers the function that stops it. */
  subscribe: (listener: () => void) => () => void;
}

/** A watched value. Setting the same value again tells nobody. */
export function observed<T>(initial: T): Observed<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(current, value)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
