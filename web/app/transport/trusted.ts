// The one Trusted Types policy of the portal: it lets through the address of the service worker, and
// nothing else (décision: trust, CSP).

export const workerAddress = "/sw.js";

interface PolicyFactory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => unknown };
}

let trusted: unknown;

/** The worker's address as the browser's policy wants it. */
export function trustedWorkerAddress(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (!factory) return workerAddress;
  trusted ??= factory.createPolicy("app", { createScriptURL }).createScriptURL(workerAddress);
  // The DOM's types know no TrustedScriptURL yet: the browser takes it where they say string.
  return trusted as string;
}

/** Refuses every script address but the worker's. */
export function createScriptURL(address: string): string {
  if (address === workerAddress) return address;
  throw new TypeError("Only the service worker may be loaded by address");
}
