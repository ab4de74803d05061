// The changes to the menu of a day, one fact a line.
import styles from "./change-list.module.css";

/** What it is about, and what there is to say: « Plats ajoutés », « Melon, Poire ». */
export type Change = readonly [string, string];

export const ChangeList = ({ changes }: { changes: readonly Change[] }) => (
  <dl className={styles.changes}>
    {changes.map(([label, what]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
);
