// The globals that a page finds around it, for tests of browser code that run in Node: a cookie jar, the two
// storages, a title. The server is never replaced, and IndexedDB is left out on purpose: it is the private
// mode of spec.md 1. Real browsers are the business of tests/journeys.

/** Puts the globals in place; answers what empties them between two tests. */
export function installPage(): { empty: () => void } {
  const cookies = new Map<string, string>();
  const local = storage();
  const session = storage();
  const page = {
    title: "",
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(written: string) {
      keepCookie(cookies, written);
    },
    getElementById: () => null,
    addEventListener: () => {},
    removeEventListener: () => {},
    visibilityState: "visible",
  };
  Object.assign(globalThis, {
    document: page,
    window: globalThis,
    self: globalThis,
    origin: "http://localhost",
    isSecureContext: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  });
  Object.defineProperty(globalThis, "localStorage", { value: local, configurable: true });
  Object.defineProperty(globalThis, "sessionStorage", { value: session, configurable: true });
  const empty = () => {
    cookies.clear();
    local.clear();
    session.clear();
  };
  return { empty };
}

/** Addresses without an origin are those of the server at `origin`, as they are in its own page. */
export function answerFrom(origin: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = (address, init) =>
    fetch(address instanceof Request ? address : new URL(address, origin), init);
}

function keepCookie(cookies: Map<string, string>, written: string): void {
  const [pair = "", ...attributes] = written.split("; ");
  const equals = pair.indexOf("=");
  const gone = attributes.includes("Max-Age=0");
  if (gone) cookies.delete(pair.slice(0, equals));
  else cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
}

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token as the browser reads it; its signature is nobody's. `exp` is in seconds. */
export const tokenSaying = (claims: Record<string, unknown>): string =>
  `${part({ alg: "EdDSA" })}.${part(claims)}.c2ln`;
