// The shop's articles as keys: a press adds one; a long list stands under its headings.
import { lazy, Suspense, useState } from "react";
import type { TillArticle } from "#contract/till/articles.ts";
import { formatMoney } from "#contract/french.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { EmptyState, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { addOne, type BasketLine, countOf, limitReached } from "./basket.ts";
import styles from "./sale.module.css";

const ArticleList = lazy(async () => ({
  default: (await import("./article-list.tsx")).ArticleList,
}));

export function ArticleKeys({
  articles,
  lines,
  onLines,
  mayEdit,
}: {
  articles: readonly TillArticle[];
  lines: readonly BasketLine[];
  onLines: (lines: readonly BasketLine[]) => void;
  mayEdit: boolean;
}) {
  const [isEditing, setIsEditing] = useState(false);
  const keys = articles.filter(({ active }) => active);
  // In the order of the list, each heading where its first article stands.
  const shelves = [...new Set(keys.map(({ shelf }) => shelf))];
  return (
    <>
      {keys.length === 0 && (
        <EmptyState icon="grid" title="Aucun article">
          Ajoutez vos prix{"\u202f"}: un article se touche au lieu de taper son montant.
        </EmptyState>
      )}
      {shelves.map((shelf) => (
        <div key={shelf ?? ""} className={styles.shelf}>
          {shelves.length > 1 && (
            <Text as="h2" size="small" tone="soft" weight="strong">
              {shelf ?? "Autres"}
            </Text>
          )}
          <div className={styles.articleKeys}>
            {keys
              .filter((article) => article.shelf === shelf)
              .map((article) => (
                <ArticleKey
                  key={article.id}
                  article={article}
                  count={countOf(lines, article.id)}
                  onPress={() => onLines(addOne(lines, article))}
                />
              ))}
          </div>
        </div>
      ))}
      <Text as="output" tone="soft" size="small">
        {limitReached(lines)}
      </Text>
      {mayEdit && (
        <Button size="small" kind="ghost" icon="edit" onClick={() => setIsEditing(true)}>
          {articles.length === 0 ? "Ajouter un article" : "Modifier les articles"}
        </Button>
      )}
      <Dialog open={isEditing} onClose={() => setIsEditing(false)} title="Articles">
        <Suspense fallback={<Skeleton lines={5} height="3rem" />}>
          <ArticleList articles={articles} />
        </Suspense>
      </Dialog>
    </>
  );
}

function ArticleKey({
  article: { name, priceCents },
  count,
  onPress,
}: {
  article: TillArticle;
  count: number;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.articleKey}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <span>{name}</span>
      <span className={styles.articlePrice}>{formatMoney(priceCents)}</span>
      {count > 0 && (
        <span key={count} className={styles.articleCount}>
          <span className="unseen">, </span>
          {count}
          <span className="unseen"> dans l’achat</span>
        </span>
      )}
    </button>
  );
}
