// The head of a relative's page: drawn like a card, with the recipient's motif, their first name and a word.
import { useMemo } from "react";
import { motifOf } from "#contract/motif.ts";
import type { Gift } from "#contract/funding/gifts.ts";
import "#web/ui/inks.css";
import styles from "./gift.module.css";

export function GiftFace({
  gift: { displayName, motif, ink },
  words,
}: {
  gift: Pick<Gift, "displayName" | "motif" | "ink">;
  /** What they say, null for nothing. */
  words: string | null;
}) {
  const { ribbon, rosette } = useMemo(() => motifOf(motif, 9), [motif]);
  return (
    <div className={styles.giftFace} data-ink={ink}>
      <svg viewBox="0 0 856 540" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        {[...ribbon, ...rosette].map((curve) => (
          <path key={curve} d={curve} />
        ))}
      </svg>
      <figure>
        {words !== null && <blockquote>{words}</blockquote>}
        <figcaption>{displayName}</figcaption>
      </figure>
    </div>
  );
}
