// The articles of the sale under way: how many, and prices that have changed since.
import type { TillArticle } from "#contract/till/articles.ts";
import { formatMoney, listInWords, plural } from "#contract/french.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { atPricesOfNow, type BasketLine, changedPrices, type TypedSale } from "./basket.ts";
import styles from "./sale.module.css";

type OnLines = (lines: readonly BasketLine[]) => void;

/** « 3 articles », which opens them. */
export function BasketCount({
  lines,
  onOpen,
}: {
  lines: readonly BasketLine[];
  onOpen: () => void;
}) {
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  return (
    <button type="button" className={styles.basketCount} onClick={onOpen}>
      {plural(count, "article")}
      <span className="unseen">, les modifier</span>
    </button>
  );
}

/** The sale keeps the prices that it was shown with, until the cashier takes those of now. */
export function ChangedPrices({
  typed: { lines },
  articles,
  onLines,
}: {
  typed: TypedSale;
  articles: readonly TillArticle[];
  onLines: OnLines;
}) {
  const changed = changedPrices(lines, articles);
  if (changed.length === 0) return null;
  return (
    <div className={styles.changed}>
      <Banner
        tone="info"
        title="Un prix a changé entre-temps"
        actions={
          <Button size="small" onClick={() => onLines(atPricesOfNow(lines, articles))}>
            Appliquer le nouveau prix
          </Button>
        }
      >
        {listInWords(
          changed.map(
            ({ line, nowCents }) =>
              `${line.name} coûte ${formatMoney(nowCents)} au lieu de ${formatMoney(line.priceCents)}`,
          ),
        )}
        . Cet achat garde le prix affiché.
      </Banner>
    </div>
  );
}
