// What surrounds every screen: the page of a lost connection, the code dialog, and the two things
// that the portal itself has to say.
import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, type MouseEvent, Suspense, useEffect, useRef, useState } from "react";
import { formatTime } from "#contract/french.ts";
import { texts, words } from "#contract/texts.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Kit } from "#web/ui/kit.tsx";
import type { AnchorProps } from "#web/ui/link.tsx";
import { OfflinePage } from "#web/ui/state.tsx";
import { offlineTitles } from "../offline.ts";
import { ending, renew } from "./renewal.ts";
import "./root.css";
import { currentUser } from "./session.ts";
import { codeRequest } from "./step-up.ts";
import { useObserved, useOnline } from "./use-observed.ts";
import { newVersion, takeNewVersion } from "./worker.ts";

const OfflineTitles = lazy(async () => ({ default: await offlineTitles() }));
const CodeDialog = lazy(async () => ({ default: (await import("./code-dialog.tsx")).CodeDialog }));

/** The routed view stays mounted, hidden and inert while offline: forms survive (décision 6). */
export function Root() {
  const isOnline = useOnline();
  return (
    <Kit link={PortalLink}>
      <div hidden={!isOnline} inert={!isOnline} data-view="routed">
        <Outlet />
      </div>
      <PortalNews />
      <CodeAsked />
      {!isOnline && <ConnectionLost />}
    </Kit>
  );
}

/** A modal of its own, because an open dialog of the screen would keep the button out of reach. */
function ConnectionLost() {
  const [titles, show] = useState(false);
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="offline"
      aria-label={texts.offline}
      onCancel={(event) => event.preventDefault()}
    >
      <OfflinePage onReload={() => location.reload()}>
        {titles ? (
          <Suspense>
            <OfflineTitles />
          </Suspense>
        ) : (
          currentUser.get()?.type !== 2 && (
            <a
              href="#titres"
              onClick={(event) => {
                event.preventDefault();
                show(true);
              }}
            >
              Mes titres hors ligne
            </a>
          )
        )}
      </OfflinePage>
    </dialog>
  );
}

function CodeAsked() {
  const request = useObserved(codeRequest);
  if (!request) return null;
  return (
    <Suspense>
      <CodeDialog request={request} />
    </Suspense>
  );
}

function PortalNews() {
  const fresh = useObserved(newVersion);
  const end = useObserved(ending);
  if (!fresh && !end) return null;
  return (
    <div className="portal-news">
      {end && (
        <Banner
          tone="warning"
          alert
          title={`Votre session se termine à ${formatTime(new Date(end.at))}.`}
          actions={end.renewable && <Button onClick={() => void renew()}>Rester connecté</Button>}
        >
          {end.renewable
            ? "Personne ne semble être là."
            : "Terminez ce que vous faites : il faudra vous reconnecter."}
        </Banner>
      )}
      {fresh && (
        <Button kind="primary" icon="refresh" onClick={takeNewVersion}>
          {words.newVersion}
        </Button>
      )}
    </div>
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
