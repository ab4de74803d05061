// The quiet frame of the screens before one is in: forgotten and forced passwords. The login itself is
// prerendered in the same frame.
import type { ReactNode } from "react";
import { ProgressBar } from "#web/ui/state.tsx";
import "./entry.css";

/** `busy` is the specification's Loading flag. */
export function EntryShell({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className="entry">
      <ProgressBar busy={busy} />
      <header className="entry-top">
        <a className="entry-brand" href="/login">
          Ma carte
        </a>
      </header>
      <main id="contenu" className="entry-main" tabIndex={-1}>
        <div className="entry-panel">{children}</div>
      </main>
    </div>
  );
}
