// The articles of the sale under way: how many, each with its count, and prices that have changed since.
import { useState } from "react";
import type { TillArticle } from "#contract/till/articles.ts";
import { formatMoney, listInWords, plural } from "#contract/french.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import {
  atPricesOfNow,
  type BasketLine,
  changeCount,
  changedPrices,
  type TypedSale,
} from "./basket.ts";
import styles from "./sale.module.css";

type OnLines = (lines: readonly BasketLine[]) => void;

/** « 3 articles », which opens them. */
export function BasketCount({ typed: { lines }, onLines }: { typed: TypedSale; onLines: OnLines }) {
  const [isOpen, setIsOpen] = useState(false);
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  const change = (next: readonly BasketLine[]) => {
    if (next.length === 0) setIsOpen(false);
    onLines(next);
  };
  return (
    <>
      <button type="button" className={styles.basketCount} onClick={() => setIsOpen(true)}>
        {plural(count, "article")}
        <span className="unseen">, les modifier</span>
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Articles de l’achat"
        actions={
          <>
            <Button onClick={() => change([])}>Tout retirer</Button>
            <Button kind="primary" onClick={() => setIsOpen(false)}>
              Valider
            </Button>
          </>
        }
      >
        <DividedList>
          {lines.map((line, place) => (
            <li key={`${line.article} ${line.priceCents}`} className={styles.line}>
              <Stack gap={4}>
                <Text as="strong" breakWord>
                  {line.name}
                </Text>
                <Text as="span" tone="soft">
                  {formatMoney(line.priceCents)}
                </Text>
              </Stack>
              <Row gap={8} wrap={false}>
                <IconButton
                  icon="minus"
                  label={`Un de moins\u00a0: ${line.name}`}
                  onClick={() => change(changeCount(lines, place, -1))}
                />
                <Text as="output" numeric>
                  {line.count}
                </Text>
                <IconButton
                  icon="plus"
                  label={`Un de plus\u00a0: ${line.name}`}
                  onClick={() => change(changeCount(lines, place, 1))}
                />
              </Row>
              <Money cents={line.priceCents * line.count} />
            </li>
          ))}
        </DividedList>
      </Dialog>
    </>
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
