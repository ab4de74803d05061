// What the portal itself has to say over any screen: a session that ends, a newer version. Loaded only
// when there is something to say.
import { formatTime } from "#contract/french.ts";
import { words } from "#contract/texts.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { type ending, renew } from "./renewal.ts";
import styles from "./root.module.css";
import { takeNewVersion } from "./worker.ts";

export interface NewsProps {
  fresh: boolean;
  end: ReturnType<typeof ending.get>;
}

export function PortalNews({ fresh, end }: NewsProps) {
  return (
    <div className={styles.portalNews}>
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
