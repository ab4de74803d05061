// « Abonnement »: what runs on a card, then the way from a formula to its payment (spec §2
// Abonnement_user). The address names the card or the application, and the step: a reload, a lost
// session and another device come back to the same place.
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { ApplicationScreen } from "./application-screen.tsx";
import { FormulaStep } from "./formula-step.tsx";
import { Overview } from "./overview.tsx";
import { leadOf } from "./navigation.ts";

export function SubscriptionPage() {
  const user = useUser();
  const [search] = useSearchParameters<"subscription">();
  const cardParam = Number(search.card);
  const cardnumber = Number.isSafeInteger(cardParam) && cardParam > 0 ? cardParam : user.cardnumber;
  const { application: id, step } = search;
  const choosing = step === "formule";
  // Parameters are no navigation: each of these begins at its title for the keyboard too.
  const place = useFocusAtStep(choosing ? step : id ? "application" : cardnumber);
  return (
    <div ref={place}>
      {id ? (
        <ApplicationScreen key={id} id={id} step={step} payment={search.payment} />
      ) : choosing ? (
        <FormulaStep cardnumber={cardnumber} chosen={null} />
      ) : (
        <OfCard key={cardnumber} cardnumber={cardnumber} />
      )}
    </div>
  );
}

function OfCard({ cardnumber }: { cardnumber: number }) {
  const answer = useAnswer(api.subscriptions.list, { cardnumber });
  // The choice of the card comes with the rest: nothing moves when it is there.
  const cards = useAnswer(api.cards.list, {});
  if (answer.error?.code === "not_found" || answer.error?.code === "invalid_input") {
    return <NotFound />;
  }
  const pending = answer.isPending || isFirstRead(cards);
  return (
    <Page>
      <PageHeader
        title="Abonnement"
        lead={answer.data ? leadOf(answer.data.holder) : "\u00a0"}
        back={{ href: paths.dashboard, label: "Ma carte" }}
      />
      {pending && !answer.isError && (
        <Loading label="Chargement des abonnements…">
          <Section>
            <Skeleton height="2rem" width="14rem" />
            <Skeleton lines={4} height="3rem" />
          </Section>
        </Loading>
      )}
      {answer.isError && !answer.data && (
        <Section>
          <ErrorState
            title="Les abonnements de cette carte n’ont pas pu être chargés."
            answer={answer}
          />
        </Section>
      )}
      {answer.data && !pending && <Overview cardnumber={cardnumber} subscriptions={answer.data} />}
    </Page>
  );
}
