import { plural } from "#contract/french.ts";
import type { LineBadge } from "#contract/transit/rows.ts";
import { Text } from "#web/ui/text.tsx";
import styles from "./line-mark.module.css";

/** The name of a line as it is written on the bus, in the colours of the line. */
export const LineMark = ({ line, large = false }: { line: LineBadge; large?: boolean }) => (
  <span
    className={styles.lineMark}
    data-line-mark
    data-large={large || undefined}
    style={{ background: line.color, color: line.textColor }}
  >
    <span className="unseen">Ligne </span>
    {line.number}
  </span>
);

/** Marks beyond these would push away what one came for. */
const maxMarks = 8;

/** The lines of a stop; the first eight where there are more. */
export const LineMarks = ({ lines }: { lines: readonly LineBadge[] }) => (
  <span className={styles.lineMarks}>
    {lines.slice(0, maxMarks).map((line) => (
      <LineMark key={line.id} line={line} />
    ))}
    {lines.length > maxMarks && (
      <Text as="span" tone="soft" size="small">
        et {plural(lines.length - maxMarks, "autre")}
      </Text>
    )}
  </span>
);
