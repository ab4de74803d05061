// The price list as its owner keeps it: order, names, prices, headings, and what is off the keys for a while.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { TillArticle } from "#contract/till/articles.ts";
import { formatMoney } from "#contract/french.ts";
import { articles as limits, till } from "#contract/till/limits.ts";
import { keepAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { AmountInput } from "#web/ui/amount.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./sale.module.css";

const keepList = (list: { items: TillArticle[] }): void => keepAnswer(api.till.articles, {}, list);

export function ArticleList({ articles }: { articles: readonly TillArticle[] }) {
  const [edited, setEdited] = useState<TillArticle | "new" | null>(null);
  const step = edited === null ? "list" : edited === "new" ? "new" : edited.id;
  const place = useFocusAtStep(step);
  const ordering = useAction((ids: string[]) => call(api.till.orderArticles, { articles: ids }), {
    onDone: keepList,
  });
  const move = (from: number, by: 1 | -1) => {
    const to = from + by;
    if (to < 0 || to >= articles.length) return;
    const ids = articles.map(({ id }) => id);
    const [moved] = ids.splice(from, 1);
    if (moved === undefined || ordering.isPending) return;
    ids.splice(to, 0, moved);
    ordering.send(ids);
  };
  return edited === null ? (
    <Stack ref={place}>
      {articles.length === 0 && (
        <EmptyState icon="grid" title="Votre liste est vide">
          Ajoutez ce que vous vendez le plus souvent, avec son prix.
        </EmptyState>
      )}
      <ProblemBanner problem={ordering.problem} />
      <DividedList>
        {articles.map((article, index) => (
          <li key={article.id} className={styles.line}>
            <Stack gap={4}>
              <Text as="strong" breakWord>
                {article.name}
              </Text>
              <Text as="span" tone="soft">
                {[
                  formatMoney(article.priceCents),
                  article.shelf,
                  !article.active && "hors des touches",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </Stack>
            <Row gap={8} wrap={false}>
              <IconButton
                icon="up"
                label={`Monter ${article.name}`}
                aria-disabled={index === 0 || undefined}
                onClick={() => move(index, -1)}
              />
              <IconButton
                icon="down"
                label={`Descendre ${article.name}`}
                aria-disabled={index === articles.length - 1 || undefined}
                onClick={() => move(index, 1)}
              />
              <IconButton
                icon="edit"
                label={`Modifier ${article.name}`}
                onClick={() => setEdited(article)}
              />
            </Row>
          </li>
        ))}
      </DividedList>
      {articles.length < limits.max && (
        <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
          Ajouter un article
        </Button>
      )}
    </Stack>
  ) : (
    <Stack ref={place}>
      <ArticleForm
        key={step}
        article={edited === "new" ? null : edited}
        onDone={() => setEdited(null)}
      />
    </Stack>
  );
}

interface Typed {
  name: string;
  priceCents: number | null;
  shelf: string;
  active: boolean;
}

const rules = ({ name, priceCents }: Typed): Faults<Typed> => ({
  name: name.trim() === "" && "Donnez un nom à cet article.",
  priceCents:
    priceCents === null || priceCents < 1
      ? "Indiquez le prix de cet article."
      : priceCents > till.maxCents && `Un prix ne dépasse pas ${formatMoney(till.maxCents)}.`,
});

function ArticleForm({ article, onDone }: { article: TillArticle | null; onDone: () => void }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const done = (list: { items: TillArticle[] }) => {
    keepList(list);
    onDone();
  };
  const saving = useAction(
    ({ active, ...typed }: Typed) => {
      const fields = {
        name: typed.name,
        priceCents: typed.priceCents ?? 0,
        shelf: typed.shelf.trim() === "" ? null : typed.shelf,
      };
      return article
        ? call(api.till.changeArticle, { article: article.id, ...fields, active })
        : call(api.till.addArticle, fields);
    },
    { onDone: done },
  );
  const removing = useAction(() => call(api.till.removeArticle, { article: article?.id ?? "" }), {
    onDone: done,
  });
  const { values, set, errorOf, problem, form } = useForm<Typed>(
    {
      name: article?.name ?? "",
      priceCents: article?.priceCents ?? null,
      shelf: article?.shelf ?? "",
      active: article?.active ?? true,
    },
    rules,
    saving,
    { problemFields: { till_article_taken: "name" } },
  );
  return (
    <form {...form}>
      <TextInput
        label="Nom"
        value={values.name}
        onValue={(name) => set({ name })}
        error={errorOf("name")}
        maxLength={limits.nameLength}
      />
      <AmountInput
        label="Prix"
        cents={values.priceCents}
        onCents={(priceCents) => set({ priceCents })}
        error={errorOf("priceCents")}
        hint={article && "Une vente commencée garde le prix qu’elle affiche."}
      />
      <TextInput
        label="Rayon"
        optional
        hint="Les articles d’un même rayon se suivent sous son nom."
        value={values.shelf}
        onValue={(shelf) => set({ shelf })}
        maxLength={limits.shelfLength}
      />
      {article && (
        <Checkbox
          label="Sur les touches de la caisse"
          checked={values.active}
          onChecked={(active) => set({ active })}
        />
      )}
      <ProblemBanner problem={problem} />
      <FormActions
        submit={article ? "Enregistrer" : "Ajouter"}
        isSending={saving.isPending}
        onCancel={onDone}
      >
        {article && (
          <Button kind="ghost" icon="trash" onClick={() => setIsRemoving(true)}>
            Supprimer
          </Button>
        )}
      </FormActions>
      <ConfirmAction
        act={removing}
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={"Supprimer cet article\u202f?"}
        confirm="Supprimer"
        danger
      >
        Les ventes déjà faites gardent son nom et son prix.
      </ConfirmAction>
    </form>
  );
}
