// « Dotations »: the money that a company grants on its pro cards, by grant and by card; a new one, and one of
// them. What is shown is in the address: a reload comes back to the same place.
import { lazy } from "react";
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { GrantList } from "./grant-list.tsx";
import { GrantsByCard } from "./grants-by-card.tsx";
import { newGrantPath } from "./navigation.ts";

const NewGrant = lazy(async () => ({ default: (await import("./new-grant.tsx")).NewGrant }));
const GrantDetail = lazy(async () => ({
  default: (await import("./grant-detail.tsx")).GrantDetail,
}));

export function GrantsPage() {
  const [{ grant, create, payment }] = useSearchParameters<"grants">();
  const place = useFocusAtStep(grant ?? (create ? "new" : "list"));
  return (
    <div ref={place}>
      {grant ? (
        <GrantDetail key={grant} id={grant} payment={payment} />
      ) : create ? (
        <NewGrant />
      ) : (
        <Grants />
      )}
    </div>
  );
}

function Grants() {
  const grants = useAnswer(api.grants.list, {});
  const [{ tab }, change] = useSearchParameters<"grants">();
  const barred = grants.error?.code === "company_role" || grants.error?.code === "company_missing";
  const { data } = grants;
  const begin = data?.canDecide && (
    <ButtonLink kind="primary" icon="gift" href={newGrantPath}>
      Accorder de l’argent
    </ButtonLink>
  );
  const any = data !== undefined && data.items.length > 0;
  return (
    <Page>
      <PageHeader
        title="Dotations"
        lead="L’argent que votre entreprise met sur ses cartes pro."
        back={{ href: paths.proCards, label: "Cartes pro" }}
        actions={any && begin}
      />
      {barred && !data && (
        <EmptyState
          icon="lock"
          title="Les dotations ne vous sont pas ouvertes"
          action={<ButtonLink href={paths.dashboard}>Voir ma carte</ButtonLink>}
        >
          {grants.error?.message}
        </EmptyState>
      )}
      {!data && !barred && (
        <Section>
          <NotLoaded
            answer={grants}
            label="Chargement des dotations…"
            lines={5}
            height="3.5rem"
            failed="Les dotations n’ont pas pu être chargées."
          />
        </Section>
      )}
      {data && !any && (
        <EmptyState icon="gift" title="Aucune dotation" action={begin}>
          {data.canDecide
            ? "Mettez de l’argent sur les cartes de vos salariés, pour leurs repas par exemple. Ce qu’ils n’ont pas dépensé à la date limite vous revient."
            : "Le responsable de votre entreprise accorde les dotations. Vous les suivrez ici."}
        </EmptyState>
      )}
      {data && any && (
        <Tabs
          label="Dotations"
          value={tab === "cartes" ? tab : "dotations"}
          onValue={(value) => change({ tab: value === "dotations" ? undefined : value })}
          tabs={[
            { value: "dotations", label: "Dotations", content: <GrantList first={data} /> },
            { value: "cartes", label: "Par carte", content: <GrantsByCard /> },
          ]}
        />
      )}
      {any && (
        <div>
          <DownloadButton
            row={api.grants.exportCsv}
            input={{}}
            icon="download"
            failed="Le fichier n’a pas pu être téléchargé."
          >
            Télécharger (CSV)
          </DownloadButton>
        </div>
      )}
    </Page>
  );
}
