// « Ma carte »: the card with its balance, the family's next day, then what asks to be done and the rest.
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { useTopUpOpen } from "#web/wallet/top-up-link.tsx";
import { CardHero } from "#web/cards/card-hero.tsx";
import { Page } from "#web/ui/layout.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { Actions, BalanceNext, BalanceNow, BalanceUnavailable } from "./balance-panel.tsx";
import styles from "./dashboard.module.css";
import { DashboardHeader, DashboardSkeleton, MainWait } from "./dashboard-skeleton.tsx";
import { DayAhead } from "./day-ahead.tsx";
import { firstOpening } from "./read-first.ts";
import { useCredit } from "./use-credit.ts";

// Below the first screen of a phone: asked for beside what the server answers.
const loadMain = () => import("./dashboard-main.tsx");
const DashboardMain = lazy(async () => ({ default: (await loadMain()).DashboardMain }));
const DashboardAside = lazy(async () => ({
  default: (await import("./dashboard-aside.tsx")).DashboardAside,
}));

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
  // Shown at once when all is there, so that nothing moves under the eyes.
  if (cards.isPending || wallets.isPending || isFirstRead(home))
    return <DashboardSkeleton of={card?.name} />;
  const walletsFailed = wallets.isError && !walletless && !main;
  const readBalance = () => {
    credit.refetch();
    if (walletsFailed) void wallets.refetch();
  };
  const mealToOrder = home.data?.day.people.some(({ meal }) => meal?.state === "open") ?? false;
  return (
    <Page>
      <DashboardHeader user={user} of={card?.name} />
      <div className={styles.dashboard}>
        <section className={styles.hero}>
          {card && <CardHero card={card} kind={kindOf(user)} />}
          {cards.isError && <ErrorState title="La carte n’a pas pu être chargée." answer={cards} />}
          {!walletless &&
            (credit.problem ? (
              <BalanceUnavailable
                problem={credit.problem}
                retrying={credit.isFetching}
                onRetry={readBalance}
              />
            ) : (
              <BalanceNow creditCents={credit.cents} frozen={main?.frozen ?? false} />
            ))}
          <Actions
            card={card}
            wallet={main && !main.frozen ? main : null}
            topUp={topUp !== null}
            family={(cards.data?.items.length ?? 0) > 1}
            first={!mealToOrder}
          />
          {main && !credit.problem && (
            <BalanceNext wallet={main} others={owned.filter((wallet) => wallet !== main)} />
          )}
        </section>
        <div className={styles.dashboardMain}>
          {home.data ? (
            <DayAhead day={home.data.day} now={new Date(home.dataUpdatedAt)} />
          ) : (
            <ErrorState
              title="Votre journée et ce qui vous attend n’ont pas pu être chargés."
              answer={home}
            />
          )}
          <Suspense fallback={<MainWait />}>
            <DashboardMain
              user={user}
              card={card}
              wallets={owned}
              home={home.data ?? null}
              readAt={home.dataUpdatedAt}
              openedAt={openedAt}
              topUp={topUp}
              takesMoney={takesMoney}
              walletless={walletless}
              failed={
                wallets.isError && (
                  <ErrorState title="Les opérations n’ont pas pu être chargées." answer={wallets} />
                )
              }
            />
          </Suspense>
        </div>
        <div className={styles.dashboardAside}>
          <Suspense>
            <DashboardAside user={user} coming={home.data?.coming ?? []} />
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
