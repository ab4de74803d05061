// « Où ma carte est acceptée »: the directory, searched as people type, around them, open now; and the
// sheet of one partner (spec §2 Partner_components and repertory, spec.md 27).
import { type ReactNode, useEffect } from "react";
import { paths } from "#contract/paths.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { DirectoryFilters } from "./directory-filters.tsx";
import { type Filters, filtersIn, parametersOf } from "./filters.ts";
import { PartnerList } from "./partner-list.tsx";
import { PartnerPage } from "./partner-page.tsx";
import { usePosition } from "#web/app/shared/position.ts";

export const DirectoryPage = () => (
  <Directory
    title="Où ma carte est acceptée"
    lead="Commerces, lieux et services près de vous, et ce que la carte vous y donne."
  />
);

/** The same directory in the professional area, beside its categories (spec §2 repertory). */
export const RepertoryPage = () => (
  <Directory
    title="Répertoire"
    lead="Les partenaires de la carte, ouverts maintenant ou près de vous."
    actions={
      <ButtonLink href={paths.categories} icon="grid">
        Catégories
      </ButtonLink>
    }
  />
);

function Directory({ title, lead, actions }: { title: string; lead: string; actions?: ReactNode }) {
  const [search, change] = useSearchParameters<"directory" | "repertory">();
  const located = usePosition();
  const { where } = located;
  const position = where.kind === "here" ? where.position : null;
  const sheet = search.sheet;
  const filters = filtersIn(search);
  if (sheet !== undefined) return <PartnerPage key={sheet} id={sheet} position={position} />;
  const set = (changes: Partial<Filters>) => change(parametersOf({ ...filters, ...changes }));
  return (
    <Page>
      <FocusOnReturn />
      <PageHeader title={title} lead={lead} actions={actions} />
      <DirectoryFilters filters={filters} onFilters={set} position={located} />
      <PartnerList
        filters={filters}
        position={position}
        onPlan={(plan) => set({ plan: plan || undefined })}
        onClear={() => {
          located.forget();
          change(parametersOf({}));
        }}
      />
    </Page>
  );
}

/** Coming back from a sheet, the keyboard starts where the list starts. */
function FocusOnReturn() {
  useEffect(() => {
    const here = document.activeElement;
    if (here === null || here === document.body) {
      document.getElementById("contenu")?.focus({ preventScroll: true });
    }
  }, []);
  return null;
}
