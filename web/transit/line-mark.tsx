import type { LineBadge } from "#contract/transit/rows.ts";
import styles from "./transit.module.css";

/** What is written on the bus, in the colours of the line. */
export const LineMark = ({ line, large = false }: { line: LineBadge; large?: boolean }) => (
  <span
    className={styles.lineMark}
    data-large={large || undefined}
    style={{ background: line.color, color: line.textColor }}
  >
    <span className="unseen">Ligne </span>
    {line.number}
  </span>
);
