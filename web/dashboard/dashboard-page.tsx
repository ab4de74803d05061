// « Ma carte »: what asks to be done, the card with its balance, the children, the latest operations,
// what comes next, and the curve last.
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { useTopUpOpen } from "#web/wallet/top-up-link.tsx";
import { CardHero } from "#web/cards/card-hero.tsx";
import { Page, Section } from "#web/ui/layout.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { Actions, Balance, BalanceUnavailable } from "./balance-panel.tsx";
import { ChildrenList } from "./children-list.tsx";
import styles from "./dashboard.module.css";
import { DashboardHeader, DashboardSkeleton, MainWait } from "./dashboard-skeleton.tsx";
import { firstOpening } from "./read-first.ts";
import { thingsToDo } from "./things-to-do.ts";
import { ToDoList } from "./to-do-list.tsx";
import { useCredit } from "./use-credit.ts";

// Below the first screen of a phone: asked for beside what the server answers.
const loadMain = () => import("./dashboard-main.tsx");
const DashboardMain = lazy(async () => ({ default: (await loadMain()).DashboardMain }));

const ProfessionalHome = lazy(async () => ({
  default: (await import("./professional-home.tsx")).ProfessionalHome,
}));

export function DashboardPage() {
  const { type } = useUser();
  if (type === 1) return <HolderHome />;
  return (
    <Suspense fallback={<DashboardSkeleton />}>
      <ProfessionalHome />
    </Suspense>
  );
}

function HolderHome() {
  useEffect(() => {
    // Where it fails, the part that is drawn from it says so.
    loadMain().catch(() => {});
    return () => void (firstOpening.now = false);
  }, []);
  const user = useUser();
  const [openedAt] = useState(() => new Date());
  const cards = useAnswer(api.cards.list, {});
  const credit = useCredit(user.cardnumber);
  const wallets = useAnswer(api.wallet.list, { cardnumber: user.cardnumber });
  const home = useAnswer(
    api.home.read,
    { cardnumber: user.cardnumber },
    { atOnce: true, readAhead: firstOpening.now },
  );
  const card = ownCard(cards.data?.items, user.cardnumber);
  const owned = wallets.data?.items ?? [];
  const main = owned.find((wallet) => wallet.main) ?? null;
  const takesMoney = useTopUpOpen();
  const topUp = main && !main.frozen && takesMoney ? topUpPath(main) : null;
  const walletless = wallets.error?.code === "not_found" || (wallets.isSuccess && !main);
  const acting = user.previousCardnumber > 0;
  const facts = { user, card, wallets: owned, home: home.data ?? null, now: openedAt, takesMoney };
  const list = thingsToDo({ ...facts, acting, minor: card?.canResume === false });
  // Shown at once when all is there, so that nothing moves under the eyes.
  if (cards.isPending || wallets.isPending || home.isPending)
    return <DashboardSkeleton of={card?.name} />;
  const walletsFailed = wallets.isError && !walletless && !main;
  const readBalance = () => {
    credit.refetch();
    if (walletsFailed) void wallets.refetch();
  };
  return (
    <Page>
      <DashboardHeader user={user} of={card?.name} />
      <div className={styles.dashboard}>
        <div className={styles.dashboardToDo}>
          <ToDoList list={list} card={card} topUp={topUp} />
        </div>
        <div className={styles.dashboardSide}>
          <Section>
            <div className={styles.hero}>
              {card && <CardHero card={card} kind={kindOf(user)} />}
              {!walletless &&
                (credit.problem ? (
                  <BalanceUnavailable
                    problem={credit.problem}
                    retrying={credit.isFetching}
                    onRetry={readBalance}
                  />
                ) : (
                  <Balance
                    creditCents={credit.cents}
                    wallet={main}
                    others={owned.filter((wallet) => wallet !== main)}
                  />
                ))}
            </div>
            {cards.isError && (
              <ErrorState title="La carte n’a pas pu être chargée." answer={cards} />
            )}
            <Actions
              card={card}
              wallet={main && !main.frozen ? main : null}
              topUp={topUp !== null}
              family={(cards.data?.items.length ?? 0) > 1}
            />
          </Section>
          <ChildrenList list={home.data?.children ?? []} />
        </div>
        <div className={styles.dashboardMain}>
          <Suspense fallback={<MainWait />}>
            <DashboardMain
              user={user}
              wallet={main?.objectID ?? null}
              walletless={walletless}
              coming={home.data?.coming ?? []}
              canteen={home.data?.canteen ?? false}
              failed={
                wallets.isError && (
                  <ErrorState title="Les opérations n’ont pas pu être chargées." answer={wallets} />
                )
              }
            />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}

/** The card that the session names, else the person's own. */
const ownCard = (cards: readonly Card[] | undefined, cardnumber: number): Card | null =>
  cards?.find((card) => card.cardnumber === cardnumber) ??
  cards?.find((card) => card.relation === "self") ??
  null;

const kindOf = ({ previousCardnumber }: CurrentUser): string =>
  previousCardnumber > 0 ? "Carte d’enfant" : "Carte personnelle";
