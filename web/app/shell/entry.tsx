// The quiet frame of the screens before one is in: forgotten and forced passwords. The login itself is
// prerendered in the same frame.
import type { ReactNode } from "react";
import { paths } from "#contract/paths.ts";
import { ProgressBar } from "#web/ui/state.tsx";
import styles from "./entry.module.css";

/** `busy` is the specification's Loading flag; `wide` leaves a text its own width. */
export function EntryShell({
  busy = false,
  wide = false,
  footer,
  children,
}: {
  busy?: boolean;
  wide?: boolean;
  footer: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.entry}>
      <ProgressBar busy={busy} />
      <header className={styles.entryTop}>
        <a className={styles.entryBrand} href={paths.login}>
          Ma carte
        </a>
      </header>
      <main id="contenu" className={wide ? styles.entryText : styles.entryMain} tabIndex={-1}>
        {wide ? children : <div className={styles.entryPanel}>{children}</div>}
      </main>
      {footer}
    </div>
  );
}
