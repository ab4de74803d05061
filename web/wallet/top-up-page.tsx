// « Recharger »: the amount, the review, the provider's page, and the followed return (spec §2
// recharge_cagnotte). The ids of the address decide; its name is shown and never trusted
// (décision 13). Amount and followed top-up live in the address, so that a reload loses nothing.
import { Navigate, useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards.ts";
import type { Wallet } from "#contract/wallet.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { useUser } from "#web/app/use-observed.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { LatestTopUps } from "./latest-top-ups.tsx";
import { topUpPath, useWallet, walletLead } from "./reachable-wallets.ts";
import { TopUpAmount } from "./top-up-amount.tsx";
import { isClosed, PaymentsOff, TopUpClosed } from "./top-up-closed.tsx";
import { FollowedTopUp } from "./top-up-followed.tsx";
import { wrongAmount } from "./top-up-limits.ts";
import { TopUpReview } from "./top-up-review.tsx";
import { useStartTopUp } from "./start-top-up.ts";
import "./top-up.css";

const steps = ["Montant", "Vérification", "Paiement", "Résultat"] as const;

export function TopUpPage() {
  const user = useUser();
  const { objectID = "", name, idgroup } = useParams({ strict: false });
  const [search] = useSearchParameters();
  const { wallet, card, pending, problem, fetching, retry } = useWallet(objectID);
  const known = wallet !== null && String(wallet.idgroup) === idgroup;
  if (!pending && !problem && !known) return <NotFound />;
  if (known && name !== wallet.slug) {
    return <Navigate to={topUpPath(wallet)} search={search} replace />;
  }
  const back =
    user.type === 1
      ? { href: "/services/cagnottes", label: "Cagnottes" }
      : { href: "/dashboard", label: "Ma carte" };
  return (
    <Page narrow>
      <PageHeader
        title="Recharger la cagnotte"
        lead={wallet ? walletLead(wallet, card) : "\u00a0"}
        back={back}
      />
      {pending && (
        <Section>
          <Loading label="Chargement de la cagnotte…">
            <Skeleton lines={4} height="4rem" />
          </Loading>
        </Section>
      )}
      {problem && (
        <ErrorState
          title="Cette cagnotte n’a pas pu être chargée."
          message={problem.message}
          retrying={fetching}
          onRetry={retry}
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
  const [search, change] = useSearchParameters();
  const settings = useAnswer(api.portal.settings, {});
  const asked = centsIn(search["montant"]);
  // What was typed stays when one goes back to it.
  const [draft, setDraft] = useState(asked);
  const starting = useStartTopUp(wallet.objectID);
  const followed = search["recharge"];
  const reviewing = asked !== null && wrongAmount(asked, wallet) === null;
  const step = followed ? 2 : reviewing ? 1 : 0;
  const place = useFocusAtStep(step);
  const [review, amend] = useReview(change);
  const off = settings.data?.payments === "none" && !followed;
  const again = (amountCents: number | null) => {
    setDraft(amountCents);
    const montant = amountCents === null ? undefined : String(amountCents);
    change({ recharge: undefined, montant });
  };
  const backToAmount = () => {
    starting.reset();
    amend();
  };
  if (off) return <PaymentsOff phone={settings.data?.supportPhone ?? null} />;
  if (followed) {
    return (
      <div ref={place} className="top-up-followed">
        <FollowedTopUp
          id={followed}
          wallet={wallet}
          leaving={starting.leaving}
          steps={steps}
          onAgain={again}
        />
      </div>
    );
  }
  if (isClosed(wallet)) {
    return (
      <>
        <TopUpClosed wallet={wallet} />
        <LatestTopUps wallet={wallet} />
      </>
    );
  }
  return (
    <>
      <div ref={place}>
        <Section>
          <Stepper
            label="Étapes de la recharge"
            steps={steps}
            current={step}
            onBack={backToAmount}
          />
          {reviewing ? (
            <TopUpReview
              wallet={wallet}
              card={card}
              amountCents={asked}
              sandbox={settings.data?.payments === "sandbox"}
              starting={starting.pending || starting.leaving}
              problem={starting.problem}
              onStart={() => void starting.start(asked)}
              onBack={backToAmount}
            />
          ) : (
            <TopUpAmount wallet={wallet} amountCents={draft} onAmount={setDraft} onDone={review} />
          )}
        </Section>
      </div>
      {!reviewing && <LatestTopUps wallet={wallet} />}
    </>
  );
}

/** To the review and back: the browser's own Back does the same. */
function useReview(change: (changes: Record<string, string | undefined>) => void) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const pushed = useRef(false);
  const review = (cents: number) => {
    pushed.current = true;
    void navigate({ to: ".", search: { montant: String(cents) }, resetScroll: false });
  };
  const amend = () => {
    // After a reload nothing is known of what stands before this page.
    if (pushed.current) history.back();
    else change({ montant: undefined });
    pushed.current = false;
  };
  return [review, amend] as const;
}
