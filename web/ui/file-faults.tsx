// What is wrong with a file that was read, line by line; nothing of it is taken over.
import type { ReactNode } from "react";
import { plural } from "#contract/french.ts";
import { Banner } from "./banner.tsx";
import "./file-faults.css";

export function FileFaults({
  faults,
  faultCount,
  children,
}: {
  /** The first ones. */
  faults: readonly { line: number; what: string }[];
  faultCount: number;
  /** What that means. */
  children: ReactNode;
}) {
  return (
    <section aria-label="Erreurs du fichier" className="file-faults">
      <Banner
        tone="danger"
        alert
        title={`${plural(faultCount, "erreur")} à corriger dans le fichier`}
      >
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
      {faultCount > faults.length && <p>Et {faultCount - faults.length} de plus.</p>}
    </section>
  );
}
