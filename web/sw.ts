// The service worker: keeps the whole front end of one version, so that the portal opens offline and
// an open tab never misses a chunk of its own version after a deployment (spec.md 9). It keeps
// nothing of the API: answers about people are sealed elsewhere or not kept at all.
import { plainPath, serverOnly } from "#contract/local-path.ts";

/** A file of the build, as the build lists it. */
export interface Entry {
  url: string;
  revision: string | null;
}
type Extendable = Event & { waitUntil: (work: Promise<unknown>) => void };
type Fetch = Extendable & {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
};

interface Worker {
  __WB_MANIFEST: Entry[];
  registration: { active: unknown };
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (type: "install" | "activate", listener: (event: Extendable) => void): void;
    (type: "fetch", listener: (event: Fetch) => void): void;
    (type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  };
}
declare const self: Worker;

// oxlint-disable-next-line no-underscore-dangle -- the name that the build replaces
const files = self.__WB_MANIFEST;
const prefix = "shell-";
// Files with a hash in their name have no revision: those of the pages tell one build from another.
const cacheName = prefix + files.map(({ revision }) => revision ?? "").join("");
const addresses = new Set(files.map(({ url }) => `/${url}`));

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("message", ({ data }) => {
  if (data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || serverOnly.test(pathname)) return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname, search));
  else if (pathname.startsWith("/assets/") || addresses.has(pathname)) {
    event.respondWith(cacheFirst(request));
  }
});

/** A page is fetched by the path that people open: its answer bears the page's security policy. */
const pagePaths: Readonly<Record<string, string>> = { "index.html": "/", "login.html": "/login" };

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await Promise.all(
    files.map(async ({ url, revision }) => {
      const options: RequestInit = revision ? { cache: "reload" } : {};
      const answer = await fetch(pagePaths[url] ?? `/${url}`, options);
      if (!answer.ok || answer.redirected) throw new Error(`${url}: ${answer.status}`);
      await cache.put(`/${url}`, answer);
    }),
  );
}

/** The previous version stays beside this one: tabs that still run it find their chunks. */
async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
  const older = names.filter((name) => name !== cacheName);
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function page(request: Request, pathname: string, search: string): Promise<Response> {
  const plain = plainPath(pathname);
  if (plain !== pathname) return Response.redirect(plain + search, 308);
  const cache = await caches.open(cacheName);
  const name = pathname.toLowerCase() === "/login" ? "/login.html" : "/index.html";
  return (await cache.match(name)) ?? (await cache.match("/index.html")) ?? fetch(request);
}

async function cacheFirst(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
