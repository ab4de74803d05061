// The answer of a counter, huge: a colour, an icon and words that a person reads from two metres away.
import type { ReactNode } from "react";
import { useNewsInView } from "./focus.ts";
import { Icon } from "./icon.tsx";
import "./verdict.css";

export type VerdictTone = "success" | "warning" | "danger";

/**
 * `words` are said at once; `children` is who stands there and what may be done. Each new value of `news`
 * brings it into view, and gives it the focus where what was pressed is gone.
 */
export function Verdict({
  news,
  tone,
  words,
  help,
  children,
}: {
  news: string | number | undefined;
  /** None while nothing was read. */
  tone?: VerdictTone | undefined;
  words: ReactNode;
  help?: ReactNode;
  children?: ReactNode;
}) {
  const place = useNewsInView(news, { overHeading: true });
  return (
    <div ref={place} className="verdict" data-tone={tone}>
      <output aria-live="assertive" className="verdict-words">
        {tone && <Icon name={tone} size={32} />}
        {tone ? <strong>{words}</strong> : <span>{words}</span>}
        {help}
      </output>
      {children}
    </div>
  );
}
