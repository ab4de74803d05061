// « Suivi de la cantine »: the meals of a provider by day and state, and what is done to several at once.
// The filters are in the address.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ClosedToRole } from "#web/app/shared/closed-to-role.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { FollowUp } from "./follow-up.tsx";
import { FrozenCanteens } from "#web/kitchen/frozen-canteens.tsx";
import { OneCanteen } from "#web/kitchen/one-canteen.tsx";

const home = { href: paths.dashboard, label: "Ma carte" };
const ConflictsWaiting = lazy(async () => ({
  default: (await import("./counter-conflicts.tsx")).ConflictsWaiting,
}));

export function ProviderFollowUpPage() {
  const canteens = useAnswer(api.canteen.ownCanteens, {});
  const items = canteens.data?.items;
  const opens = canteens.data?.opens;
  return (
    <Page>
      <PageHeader
        title="Suivi de la cantine"
        back={opens?.desk === false ? home : { href: paths.canteenDesk, label: "Cantine" }}
        actions={
          items &&
          items.length > 0 &&
          opens?.counter && (
            <ButtonLink href={paths.mealCounter} icon="qr">
              Guichet
            </ButtonLink>
          )
        }
      />
      {!items && (
        <NotLoaded
          answer={canteens}
          label="Chargement de vos cantines…"
          lines={6}
          height="3.25rem"
          failed="Vos cantines n’ont pas pu être chargées."
        />
      )}
      {items?.length === 0 && (
        <EmptyState icon="meal" title="Vous ne tenez pas de cantine">
          Le suivi s’ouvre aux prestataires qui servent des repas, à qui y a ce rôle.
        </EmptyState>
      )}
      {items && items.length > 0 && !opens?.followUp && <ClosedToRole />}
      {items && items.length > 0 && opens?.followUp && (
        <OneCanteen canteens={items}>
          {(canteen) => (
            <>
              <FrozenCanteens canteens={[canteen]} />
              {opens.counter && (
                <Suspense fallback={null}>
                  <ConflictsWaiting canteen={canteen.id} />
                </Suspense>
              )}
              <FollowUp key={canteen.id} canteen={canteen} />
            </>
          )}
        </OneCanteen>
      )}
    </Page>
  );
}
