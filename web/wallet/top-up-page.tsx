// « Recharger »: the amount, the provider's page, and the followed return (spec §2
// recharge_cagnotte). The ids of the address decide; its name is shown and never trusted
// (spec.md 13). Amount and followed top-up live in the address, so that a reload loses nothing.
import { Navigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { LatestTopUps } from "./latest-top-ups.tsx";
import { useWallet, walletLead } from "./reachable-wallets.ts";
import { isClosed, PaymentsOff, TopUpClosed } from "./top-up-closed.tsx";
import { TopUpStatus } from "./top-up-status.tsx";
import { ReadingTopUp, TopUpStep, topUpSteps } from "./top-up-step.tsx";
import { useStartTopUp } from "./start-top-up.ts";

export function TopUpPage() {
  const user = useUser();
  const { objectID = "", name, idgroup } = useParams({ strict: false });
  const { wallet, card, pending, problem, fetching, retry } = useWallet(objectID);
  const known = wallet !== null && String(wallet.idgroup) === idgroup;
  if (!pending && !problem && !known) return <NotFound />;
  if (known && name !== wallet.slug) {
    return <Navigate to={topUpPath(wallet)} search={(before: object) => before} replace />;
  }
  const back =
    user.type === 1
      ? { href: paths.wallets, label: "Cagnottes" }
      : { href: paths.dashboard, label: "Ma carte" };
  return (
    <Page narrow>
      <PageHeader
        title="Recharger la cagnotte"
        lead={wallet ? walletLead(wallet, card) : "\u00a0"}
        back={back}
      />
      {pending && (
        <Section>
          <ReadingTopUp />
        </Section>
      )}
      {problem && (
        <ErrorState
          title="Cette cagnotte n’a pas pu être chargée."
          answer={{ error: problem, isFetching: fetching, refetch: retry }}
        />
      )}
      {known && <TopUp wallet={wallet} card={card} />}
    </Page>
  );
}

/** « 2000 » in the address, as cents; null for anything else. */
const centsIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : null;

function TopUp({ wallet, card }: { wallet: Wallet; card: Card | null }) {
  const [search, change] = useSearchParameters<"topUp">();
  const settings = useAnswer(api.portal.settings, {});
  const initialCents = centsIn(search.amount);
  // What was typed stays when one goes back to it.
  const [draft, setDraft] = useState(initialCents);
  const starting = useStartTopUp(wallet.objectID);
  const followed = search.topUp;
  const place = useFocusAtStep(followed ? 1 : 0);
  const off = settings.data?.payments === "none" && !followed;
  const again = (amountCents: number | null) => {
    setDraft(amountCents);
    change({ topUp: undefined, amount: amountCents ?? undefined });
  };
  if (off) {
    return (
      <Section>
        <PaymentsOff phone={settings.data?.supportPhone ?? null} />
      </Section>
    );
  }
  if (followed) {
    return (
      <div ref={place}>
        <TopUpStatus
          id={followed}
          wallet={wallet}
          card={card}
          leaving={starting.leaving}
          steps={topUpSteps}
          onAgain={again}
        />
      </div>
    );
  }
  if (isClosed(wallet)) {
    return (
      <>
        <Section>
          <TopUpClosed wallet={wallet} />
        </Section>
        <LatestTopUps wallet={wallet} />
      </>
    );
  }
  return (
    <>
      <div ref={place}>
        <Section>
          <TopUpStep
            wallet={wallet}
            amountCents={draft}
            starting={starting}
            onAmount={(cents) => {
              setDraft(cents);
              change({ amount: cents ?? undefined });
            }}
          />
        </Section>
      </div>
      <LatestTopUps wallet={wallet} />
    </>
  );
}
