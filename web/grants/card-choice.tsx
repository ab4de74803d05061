// Which cards: ticked one by one or all at once, with what a file grants to each.
import type { ReactNode } from "react";
import { formatCardnumber } from "#contract/french.ts";
import type { GrantableCard } from "#contract/grants/rows.ts";
import { Checkbox } from "#web/ui/choice.tsx";
import { Money } from "#web/ui/money.tsx";
import styles from "./grants.module.css";

export function CardChoice({
  cards,
  chosen,
  amountOf,
  error,
  onChosen,
  children,
}: {
  cards: readonly GrantableCard[];
  chosen: readonly number[];
  /** The amount that a file grants to a card; null while one amount is for all. */
  amountOf: ((cardnumber: number) => number) | null;
  error: ReactNode;
  onChosen: (chosen: readonly number[]) => void;
  /** Beside the list. */
  children: ReactNode;
}) {
  const ticked = new Set(chosen);
  // A file names its cards: the others are left out.
  const visible = amountOf ? cards.filter(({ cardnumber }) => amountOf(cardnumber) > 0) : cards;
  const all = visible.every(({ cardnumber }) => ticked.has(cardnumber));
  return (
    <fieldset className={styles.cards}>
      <legend>Cartes</legend>
      <div className={styles.acts}>{children}</div>
      <Checkbox
        label={`Toutes (${visible.length})`}
        checked={all}
        error={error}
        onChecked={(on) => onChosen(on ? visible.map(({ cardnumber }) => cardnumber) : [])}
      />
      {visible.map(({ cardnumber, name }) => (
        <div key={cardnumber} className={styles.card}>
          <Checkbox
            label={name}
            hint={formatCardnumber(cardnumber)}
            checked={ticked.has(cardnumber)}
            onChecked={(on) =>
              onChosen(on ? [...chosen, cardnumber] : chosen.filter((one) => one !== cardnumber))
            }
          />
          {amountOf && <Money cents={amountOf(cardnumber)} />}
        </div>
      ))}
    </fieldset>
  );
}
