// Messages of the portal itself over any screen: an answer that is long in coming, a session that ends, a
// newer version.
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { formatTime } from "#contract/french.ts";
import { words } from "#contract/texts.ts";
import { newVersion, takeNewVersion } from "#web/app/shared/worker.ts";
import { giveUp, late } from "#web/app/transport/late.ts";
import { sessionEnd, renew } from "#web/app/transport/renewal.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import styles from "./portal-news.module.css";

/** An open dialog makes the rest of the page inert: there, what must be read and pressed stands inside it. */
const place = (): Element => [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;

function watchDialogs(listener: () => void): () => void {
  const events = ["toggle", "close"];
  for (const name of events) document.addEventListener(name, listener, true);
  // A dialog that its screen takes out of the page tells nothing.
  const removals = new MutationObserver(listener);
  removals.observe(document.body, { childList: true, subtree: true });
  return () => {
    removals.disconnect();
    for (const name of events) document.removeEventListener(name, listener, true);
  };
}

const lateWords = {
  act: "Votre demande est partie : ne la refaites pas ailleurs. Vous pouvez attendre encore.",
  read: "Nous attendons encore ce qui manque à cette page.",
};

export function PortalNews() {
  const fresh = useObserved(newVersion);
  const end = useObserved(sessionEnd);
  const waited = useObserved(late);
  return (fresh || end || waited) && <News fresh={fresh} end={end} waited={waited} />;
}

/** Looks for its place only while there is something to say. */
function News({
  fresh,
  end,
  waited,
}: {
  fresh: boolean;
  end: ReturnType<typeof sessionEnd.get>;
  waited: ReturnType<typeof late.get>;
}) {
  const root = useSyncExternalStore(watchDialogs, place);
  return createPortal(
    <div className={styles.portalNews}>
      {waited && (
        <Banner
          tone="warning"
          alert
          title="La réponse tarde."
          actions={<Button onClick={giveUp}>Ne plus attendre</Button>}
        >
          {lateWords[waited]}
        </Banner>
      )}
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
    </div>,
    root,
  );
}
