// « Où ma carte est acceptée »: the directory, searched as people type, around them, open now; and the
// sheet of one partner (spec §2 Partner_components, spec.md 27).
import { useEffect } from "react";
import { useSearchParameters } from "#web/app/search.ts";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { DirectoryFilters } from "./directory-filters.tsx";
import { type Filters, filtersIn, parametersOf, sheetParameter } from "./filters.ts";
import { PartnerList } from "./partner-list.tsx";
import { PartnerPage } from "./partner-page.tsx";
import { usePosition } from "./position.ts";

export function DirectoryPage() {
  const [search, change] = useSearchParameters();
  const whereabouts = usePosition();
  const { where } = whereabouts;
  const position = where.kind === "here" ? where.position : null;
  const sheet = search[sheetParameter];
  const filters = filtersIn(search);
  if (sheet !== undefined) return <PartnerPage key={sheet} id={sheet} position={position} />;
  const set = (changes: Partial<Filters>) => change(parametersOf({ ...filters, ...changes }));
  return (
    <Page>
      <FocusOnReturn />
      <PageHeader
        title="Où ma carte est acceptée"
        lead="Commerces, lieux et services près de vous, et ce que la carte vous y donne."
      />
      <DirectoryFilters filters={filters} onFilters={set} whereabouts={whereabouts} />
      <PartnerList
        filters={filters}
        position={position}
        onClear={() => {
          whereabouts.forget();
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
