// The service worker as the page sees it: registered at startup, success and failure only logged
// (spec §2), and a new version offered, never forced (spec.md 9).
import { logWorkerFailed, logWorkerRegistered } from "#web/app/transport/console-lines.ts";
import { observed } from "#web/app/transport/observed.ts";
import { trustedWorkerAddress } from "#web/app/transport/trusted.ts";

/** True when a newer version of the portal is ready: the page offers to change to it. */
export const newVersion = observed(false);

let waiting: ServiceWorker | null = null;

/** Registers the worker. Never throws: without it the portal works, online. */
export async function registerWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(trustedWorkerAddress());
    logWorkerRegistered();
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing?.addEventListener("statechange", () => {
        if (installing.state === "installed") offer(installing);
      });
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") registration.update().catch(() => {});
    });
  } catch (reason) {
    logWorkerFailed(reason);
  }
}

/** A first installation replaces nothing: there is no newer version to offer then. */
function offer(worker: ServiceWorker): void {
  if (!navigator.serviceWorker.controller) return;
  waiting = worker;
  newVersion.set(true);
}

/** A chunk of this version is gone from the server and from the caches: only a reload helps. */
export function watchMissingChunks(): void {
  addEventListener("vite:preloadError", () => newVersion.set(true));
}

/** The tones of a verdict at a counter: a sound made here, and a vibration where there is one. */
export function takeNewVersion(): void {
  if (!waiting) {
    location.reload();
    return;
  }
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {
    once: true,
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  waiting.postMessage("take over");
}
