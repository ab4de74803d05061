// « Mes données » : take them all away, see how long each kind is kept, close the account.
import { api } from "#contract/api.ts";
import type { Privacy } from "#contract/privacy.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Table } from "#web/ui/table.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { ExportSection } from "./export-section.tsx";
import "./privacy.css";

export function PrivacyPage() {
  const { cardnumber } = useUser();
  const seen = useAnswer(api.privacy.seen, { cardnumber });
  return (
    <Page narrow>
      <PageHeader title="Mes données" back={{ href: "/profil", label: "Profil" }} />
      <div className="privacy">
        {seen.isPending && (
          <Section>
            <Loading label="Chargement de vos données…">
              <Skeleton lines={6} height="3rem" />
            </Loading>
          </Section>
        )}
        {seen.isError && !seen.data && (
          <ErrorState
            title="Cette page n’a pas pu être chargée."
            message={seen.error.message}
            retrying={seen.isFetching}
            onRetry={() => void seen.refetch()}
          />
        )}
        {seen.data && (
          <>
            <ExportSection exports={seen.data.exports} cardnumber={cardnumber} />
            <ClosingSection privacy={seen.data} cardnumber={cardnumber} />
            <KeptSection kept={seen.data.kept} />
          </>
        )}
      </div>
    </Page>
  );
}

function KeptSection({ kept }: { kept: Privacy["kept"] }) {
  return (
    <Section title="Ce que nous gardons, et combien de temps">
      <p className="privacy-lead">
        Rien n’est gardé au-delà de ces durées, ni vendu. À la fermeture du compte, ce qui n’est pas
        une obligation comptable est effacé.
      </p>
      <details className="privacy-kept">
        <summary>Voir les durées par type de donnée</summary>
        <Table
          caption="Durées de conservation"
          columns={[
            { key: "what", label: "Données", cell: ({ what }) => what, place: "title" },
            { key: "howLong", label: "Durée", cell: ({ howLong }) => howLong },
            { key: "after", label: "Raison", cell: ({ after }) => after },
          ]}
          rows={kept}
          keyOf={({ what }) => what}
        />
      </details>
    </Section>
  );
}
