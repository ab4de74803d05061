// The root around every screen: the page of a lost connection, the code dialog, and the messages of the
// portal itself.
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { type ComponentType, lazy, type MouseEvent, Suspense, useEffect, useRef } from "react";
import { texts } from "#contract/texts.ts";
import { type CodeRequest, codeRequest } from "#web/app/transport/code-request.ts";
import { currentUser } from "#web/app/transport/session.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { table } from "#web/paths.ts";
import { Kit } from "#web/ui/kit.tsx";
import type { AnchorProps } from "#web/ui/link.tsx";
import { OfflinePage } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { stopAsking, useHasUnsaved } from "#web/ui/unsaved.tsx";
import styles from "./root.module.css";

const OfflineTitles = lazy(async () => ({
  default:
    (await import("#web/app/shared/offline-titles.tsx").catch(() => null))?.OfflineTitles ??
    NoTitles,
}));
/** On a first visit the worker may not have kept the screen itself yet. */
const NoTitles = () =>
  currentUser.get()?.type === 1 && <p>Vos titres ne sont pas encore gardés sur cet appareil.</p>;
/** Long enough after the start for the first screen to have what it needs. */
const newsLoadMs = 3000;
const Nothing: ComponentType = () => null;
// There before it has something to say: without an answer, or a connection, its code would not come.
const News = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, newsLoadMs));
  // Where its code cannot be had any more, that must not break the screen.
  return { default: (await import("./portal-news.tsx").catch(() => null))?.PortalNews ?? Nothing };
});
const CodeDialog = lazy(async () => ({
  default:
    (await import("#web/app/shared/code-dialog.tsx").catch(() => null))?.CodeDialog ?? NoCodeDialog,
}));

const LeaveGuard = lazy(async () => {
  const loaded = await import("./leave-guard.tsx").catch(stopAsking);
  return { default: loaded?.LeaveGuard ?? Nothing };
});

/** The action that asked for a code is given up: its screen stays as it is. */
function NoCodeDialog({ request }: { request: CodeRequest }): null {
  useEffect(() => {
    request.cancel();
    const text = "Rien n’a été fait. Rechargez la page et recommencez.";
    notify({ text, kind: "error" });
  }, [request]);
  return null;
}

/** The routed view stays mounted, hidden and inert while offline: forms survive (spec.md 6). */
export function Root() {
  const online = useOnline();
  // Counters go on without network (spec.md 6).
  const { pathname } = useLocation();
  const atCounter = table.some((entry) => "offline" in entry && entry.path === pathname);
  const isOnline = online || atCounter;
  return (
    <Kit link={PortalLink}>
      <div hidden={!isOnline} inert={!isOnline} data-view="routed">
        <Outlet />
      </div>
      <Suspense>
        <News />
      </Suspense>
      <CodePrompt />
      <UnsavedPrompt />
      {!isOnline && <ConnectionLost />}
    </Kit>
  );
}

/** A modal of its own, because an open dialog of the screen would keep the button out of reach. */
function ConnectionLost() {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={styles.offline}
      aria-label={texts.offline}
      onCancel={(event) => event.preventDefault()}
    >
      <OfflinePage onReload={() => location.reload()}>
        <Suspense>
          <OfflineTitles />
        </Suspense>
      </OfflinePage>
    </dialog>
  );
}

function CodePrompt() {
  const request = useObserved(codeRequest);
  if (!request) return null;
  return (
    <Suspense>
      <CodeDialog request={request} />
    </Suspense>
  );
}

function UnsavedPrompt() {
  if (!useHasUnsaved()) return null;
  return (
    <Suspense>
      <LeaveGuard />
    </Suspense>
  );
}

/** Links of the kit, taken over by the router; a middle click or a modifier stays the browser's. */
function PortalLink({ href, onClick, children, ...rest }: AnchorProps) {
  const router = useRouter();
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  const prepare = () => {
    const { pathname } = new URL(href, location.href);
    router.preloadRoute({ to: pathname }).catch(() => {});
  };
  return (
    <a {...rest} href={href} onClick={go} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  );
}
