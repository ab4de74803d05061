// « Catégories »: the tree with how many partners are under each, each leading to them in the directory;
// and the category that the owner of a sheet chooses for it (spec §2 category).
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCount, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { OwnSheets } from "#contract/partners/own.ts";
import type { PartnerCategory } from "#contract/partners/rows.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Row } from "#web/ui/stack.tsx";
import { EmptyState, ErrorState, Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { kindIcons } from "./words.ts";
import styles from "./categories.module.css";

const SheetEditor = lazy(async () => ({
  default: (await import("./sheet-editor.tsx")).SheetEditor,
}));

const under = (category: string) => linkTo(paths.repertory, {}, { category });

export function CategoriesPage() {
  const [search, change] = useSearchParameters<"categories">();
  const sheet = search.sheet;
  return sheet ? (
    <SheetPage id={sheet} onDone={() => change({ sheet: undefined })} />
  ) : (
    <TreePage onEdit={(chosen) => change({ sheet: chosen })} />
  );
}

/** The sheet that its owner writes stands at the address of the categories: `?fiche=`. */
const SheetPage = ({ id, onDone }: { id: string; onDone: () => void }) => (
  <Page narrow>
    <PageHeader
      title="Votre fiche"
      lead="Les porteurs de la carte la lisent dans l’annuaire dès que vous l’enregistrez."
      back={{ href: paths.categories, label: "Catégories" }}
    />
    <Suspense fallback={<Skeleton lines={6} height="4rem" />}>
      <SheetEditor key={id} id={id} onDone={onDone} />
    </Suspense>
  </Page>
);

function TreePage({ onEdit }: { onEdit: (id: string) => void }) {
  const tree = useAnswer(api.partners.categories, {});
  const own = useAnswer(api.partners.ownSheets, {});
  const items = tree.data?.items;
  // One's own categories stand above the others: both come at once, so that nothing moves.
  const isWaiting = tree.isPending || own.isPending;
  return (
    <Page>
      <PageHeader
        title="Catégories"
        lead="Choisissez une catégorie pour voir ses partenaires."
        back={{ href: paths.repertory, label: "Répertoire" }}
      />
      {!isWaiting && own.data && own.data.items.length > 0 && (
        <OwnCategories own={own.data} onEdit={onEdit} />
      )}
      {isWaiting && (
        <Loading label="Chargement des catégories…">
          <Skeleton lines={6} height="6rem" />
        </Loading>
      )}
      {tree.isError && !items && (
        <ErrorState title="Les catégories n’ont pas pu être chargées." answer={tree} />
      )}
      {items?.length === 0 && (
        <EmptyState icon="grid" title="L’annuaire est encore vide">
          Les catégories des partenaires de la carte s’afficheront ici.
        </EmptyState>
      )}
      {!isWaiting && items && items.length > 0 && (
        <ul className={styles.tree}>
          {items.map((one) => (
            <li key={one.id} className={styles.branch}>
              <Branch one={one} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

const Branch = ({ one: { id, name, count, children } }: { one: PartnerCategory }) => (
  <>
    <h2 className={styles.top}>
      <IconTile icon={kindIcons[id] ?? "pin"} />
      <Link href={under(id)}>{name}</Link>
      <Count of={count} />
    </h2>
    {children.length > 0 && (
      <ul className={styles.children}>
        {children.map((child) => (
          <li key={child.id}>
            <Link href={under(child.id)}>{child.name}</Link>
            <Count of={child.count} />
          </li>
        ))}
      </ul>
    )}
  </>
);

const Count = ({ of }: { of: number }) => (
  <span className={styles.count}>
    <span aria-hidden="true">{formatCount(of)}</span>
    <span className="unseen">{plural(of, "partenaire")}</span>
  </span>
);

type OwnSheet = OwnSheets["items"][number];

/** The category of each sheet of the company; whoever decides for it may choose another. */
function OwnCategories({
  own: { canEdit, items },
  onEdit,
}: {
  own: OwnSheets;
  onEdit: (id: string) => void;
}) {
  const [changed, setChanged] = useState<OwnSheet | null>(null);
  return (
    <Section title={items.length > 1 ? "Vos fiches" : "Votre fiche"}>
      <DefinitionList
        items={items.map((sheet) => ({
          label: sheet.name,
          value: <Link href={under(sheet.category.id)}>{sheet.category.name}</Link>,
          action: canEdit && (
            <Row gap={8}>
              <Button
                size="small"
                icon="edit"
                aria-haspopup="dialog"
                onClick={() => setChanged(sheet)}
              >
                Changer<span className="unseen"> la catégorie de {sheet.name}</span>
              </Button>
              <Button size="small" icon="document" onClick={() => onEdit(sheet.id)}>
                Modifier la fiche<span className="unseen"> de {sheet.name}</span>
              </Button>
            </Row>
          ),
        }))}
      />
      <Dialog open={changed !== null} onClose={() => setChanged(null)} title="Changer de catégorie">
        {changed && <Choice key={changed.id} sheet={changed} onDone={() => setChanged(null)} />}
      </Dialog>
    </Section>
  );
}

function Choice({ sheet, onDone }: { sheet: OwnSheet; onDone: () => void }) {
  const all = useAnswer(api.partners.categories, { all: "true" });
  const change = useAction(
    ({ category }: { category: string }) =>
      call(api.partners.chooseCategory, { id: sheet.id, category }),
    { says: ({ message }) => message, onDone },
  );
  const { field, problem, form } = useForm({ category: sheet.category.id }, () => ({}), change, {
    problemFields: { partner_category_unknown: "category" },
    isLeftFreely: true,
  });
  if (!all.data) {
    return (
      <NotLoaded
        answer={all}
        lines={2}
        height="4rem"
        failed="Les catégories n’ont pas pu être chargées."
      />
    );
  }
  return (
    <form {...form}>
      <Select
        label={`Catégorie de ${sheet.name}`}
        hint="C’est là que les porteurs de la carte vous trouvent."
        options={optionsOf(all.data.items, sheet)}
        {...field("category")}
      />
      <ProblemBanner problem={problem} />
      <FormActions submit="Changer de catégorie" isSending={change.isPending} onCancel={onDone} />
    </form>
  );
}

/** Categories of the last level, and the sheet's own one where it is above them. */
function optionsOf(tree: readonly PartnerCategory[], { category }: OwnSheet) {
  const options = tree.flatMap(({ id, name, children }) =>
    children.length === 0
      ? [{ value: id, label: name }]
      : children.map((child) => ({ value: child.id, label: `${name} › ${child.name}` })),
  );
  const own = { value: category.id, label: category.name };
  return options.some(({ value }) => value === own.value) ? options : [own, ...options];
}
