// The faults of a file that was read, line by line; nothing of it is taken over.
import type { ReactNode } from "react";
import { plural } from "#contract/french.ts";
import { Banner } from "./banner.tsx";
import "./file-faults.css";

/** « 3 erreurs à corriger dans le fichier », « 100 erreurs au moins… » where the reading stopped. */
export const faultsTitle = (count: number, stopped: boolean): string =>
  `${plural(count, "erreur")}${stopped ? " au moins" : ""} à corriger dans le fichier`;

export function FileFaults({
  faults,
  stopped,
  children,
}: {
  faults: readonly { line: number; what: string }[];
  /** There may be more. */
  stopped: boolean;
  /** What that means. */
  children: ReactNode;
}) {
  return (
    <section aria-label="Erreurs du fichier" className="file-faults">
      <Banner tone="danger" alert title={faultsTitle(faults.length, stopped)}>
        {children}
      </Banner>
      <ol>
        {faults.map(({ line, what }) => (
          <li key={`${line}${what}`}>
            <strong>Ligne {line}</strong>
            <span>
              {what.charAt(0).toUpperCase()}
              {what.slice(1)}.
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
