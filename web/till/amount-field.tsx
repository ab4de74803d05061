// The amount of a sale, the largest thing on the screen. The field takes keys itself: a phone shows no keyboard of
// its own over the till's.
import { type KeyboardEvent, type ReactNode, type Ref, useId } from "react";
import { FieldError } from "#web/ui/field.tsx";
import { Money } from "#web/ui/money.tsx";
import { displayEntry } from "./amount-entry.ts";
import { saleCents, type TypedSale } from "./basket.ts";
import styles from "./sale.module.css";

export function AmountField({
  ref,
  typed,
  error,
  hint,
  onKeyDown,
  onText,
}: {
  ref: Ref<HTMLInputElement>;
  typed: TypedSale;
  error: ReactNode;
  hint: string;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onText: (text: string) => void;
}) {
  const id = useId();
  // Beside articles the field is what is typed beyond them, and the sum is what is large.
  const hasArticles = typed.lines.length > 0;
  return (
    <div className={styles.amount}>
      {hasArticles && (
        <output className={styles.sum}>
          <span className="unseen">Total </span>
          <Money cents={saleCents(typed) ?? 0} size="large" />
        </output>
      )}
      <div className={styles.amountLine} data-beside={hasArticles || undefined}>
        <label className={hasArticles ? styles.amountLabel : "unseen"} htmlFor={id}>
          {hasArticles ? "Autre montant" : "Montant"}
        </label>
        <input
          ref={ref}
          id={id}
          className={styles.amountInput}
          type="text"
          inputMode="none"
          autoComplete="off"
          placeholder="0,00"
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={error ? true : undefined}
          value={displayEntry(typed.entry)}
          onKeyDown={onKeyDown}
          onChange={(event) => onText(event.target.value)}
        />
        <span aria-hidden="true">€</span>
      </div>
      {!error && (
        <p className={styles.amountHint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
