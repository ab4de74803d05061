// The answer of a counter, huge: a colour, an icon and words that a person reads from two metres away.
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./verdict.css";

export type VerdictTone = "success" | "warning" | "danger";

/** `words` are said at once; `children` is who stands there and what may be done. */
export function Verdict({
  tone,
  words,
  help,
  children,
}: {
  /** None while nothing was read. */
  tone?: VerdictTone | undefined;
  words: ReactNode;
  help?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="verdict" data-tone={tone}>
      <output aria-live="assertive" className="verdict-words">
        {tone && <Icon name={tone} size={32} />}
        {tone ? <strong>{words}</strong> : <span>{words}</span>}
        {help}
      </output>
      {children}
    </div>
  );
}
