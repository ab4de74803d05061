// « Suivi de la cantine »: the meals of a provider by day and state, and what is done to several at once.
// The filters are in the address.
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { FollowUp } from "./follow-up.tsx";
import { Frozen } from "./frozen.tsx";
import { OneCanteen } from "./one-canteen.tsx";

export function ProviderFollowUpPage() {
  const canteens = useAnswer(api.canteen.ownCanteens, {});
  const items = canteens.data?.items;
  return (
    <Page>
      <PageHeader
        title="Suivi de la cantine"
        back={{ href: "/pro/cantine", label: "Cantine" }}
        actions={
          items &&
          items.length > 0 && (
            <ButtonLink href="/partenaire/validation" icon="qr">
              Guichet
            </ButtonLink>
          )
        }
      />
      {canteens.isPending && (
        <Loading label="Chargement de vos cantines…">
          <Skeleton lines={6} height="3.25rem" />
        </Loading>
      )}
      {canteens.isError && !items && (
        <ErrorState title="Vos cantines n’ont pas pu être chargées." answer={canteens} />
      )}
      {items?.length === 0 && (
        <EmptyState icon="meal" title="Vous ne tenez pas de cantine">
          Le suivi s’ouvre aux prestataires qui servent des repas.
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <OneCanteen canteens={items}>
          {(canteen) => (
            <>
              <Frozen canteens={[canteen]} />
              <FollowUp key={canteen.id} canteen={canteen} />
            </>
          )}
        </OneCanteen>
      )}
    </Page>
  );
}
