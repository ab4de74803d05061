// « Alertes et recharge automatique »: what watches over a wallet and fills it: one's own alert, the
// automatic top-ups, the links by which relatives top it up.
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import type { Automations } from "#contract/funding/rows.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { AlertSection } from "./alert-section.tsx";
import { LinksSection } from "./links-section.tsx";
import { useWallet, walletLead } from "#web/wallet/reachable-wallets.ts";
import { RulesSection } from "./rules-section.tsx";

// Of whoever comes back from a first payment.
const FirstPayment = lazy(async () => ({
  default: (await import("./first-payment.tsx")).FirstPayment,
}));

export function AutomationsPage() {
  const { objectID = "" } = useParams({ strict: false });
  const user = useUser();
  const [search, change] = useSearchParameters<"automations">();
  const { wallet, card, pending, problem, fetching, retry } = useWallet(objectID);
  const answer = useAnswer(api.funding.automations, { objectID }, { enabled: wallet !== null });
  if (!wallet && !pending && !problem) return <NotFound />;
  const back =
    user.type === 1
      ? { href: paths.wallets, label: "Cagnottes" }
      : { href: paths.dashboard, label: "Ma carte" };
  const failed = problem ?? (answer.data ? null : answer.error);
  const paid = search.payment;
  return (
    <Page narrow>
      <PageHeader
        title="Alertes et recharge automatique"
        lead={wallet ? walletLead(wallet, card) : "\u00a0"}
        back={back}
      />
      {failed && (
        <Section>
          <ErrorState
            title="Les réglages de cette cagnotte n’ont pas pu être chargés."
            answer={{
              error: failed,
              isFetching: fetching || answer.isFetching,
              refetch: problem ? retry : () => void answer.refetch(),
            }}
          />
        </Section>
      )}
      {!failed && !answer.data && (
        <Loading label="Chargement des réglages…">
          {["11rem", "15rem", "11rem"].map((height, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- blocks that never move
            <Skeleton key={index} height={height} />
          ))}
        </Loading>
      )}
      {wallet && answer.data && (
        <>
          {paid && (
            <Suspense>
              <FirstPayment
                id={paid}
                objectID={objectID}
                card={card}
                onClose={() => change({ payment: undefined })}
              />
            </Suspense>
          )}
          <Parts wallet={wallet} seen={answer.data} />
        </>
      )}
    </Page>
  );
}

function Parts({ wallet, seen }: { wallet: Wallet; seen: Automations }) {
  // Another state of the alert is another form: what was typed for the old one does not stay.
  return (
    <>
      <AlertSection key={JSON.stringify(seen.alert)} objectID={wallet.objectID} seen={seen} />
      <RulesSection wallet={wallet} seen={seen} />
      <LinksSection wallet={wallet} seen={seen} />
    </>
  );
}
