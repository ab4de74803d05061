// « Ma carte »: the card, its balance now and soon, what asks to be done, the movements.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards.ts";
import type { Wallet } from "#contract/wallet.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import type { CurrentUser } from "#web/app/session.ts";
import { useUser } from "#web/app/use-observed.ts";
import { CardHero, CardHeroSkeleton } from "#web/cards/card-hero.tsx";
import { pathTo } from "#web/routes.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { filtersOf, searchOf } from "#web/wallet/movement-filters.tsx";
import { Movements } from "#web/wallet/movements.tsx";
import { BalanceChart } from "./balance-chart.tsx";
import { Acts, ActsWait, Balance, BalanceUnavailable, BalanceWait } from "./balance-panel.tsx";
import "./dashboard.css";
import { thingsToDo } from "./things-to-do.ts";
import { ToDoList } from "./to-do-list.tsx";

// Met on their tab only.
const SubscriptionsTab = lazy(async () => ({
  default: (await import("./subscriptions-tab.tsx")).SubscriptionsTab,
}));

const TicketList = lazy(async () => ({
  default: (await import("#web/tickets/ticket-list.tsx")).TicketList,
}));

export function DashboardPage() {
  const user = useUser();
  const [openedAt] = useState(() => new Date());
  const cards = useAnswer(api.cards.list, {});
  const wallets = useAnswer(api.wallet.list, { cardnumber: user.cardnumber });
  const card = ownCard(cards.data?.items, user.cardnumber);
  const owned = wallets.data?.items ?? [];
  const main = owned.find((wallet) => wallet.main) ?? null;
  const topUp = main && !main.frozen ? rechargePath(main) : null;
  const walletless = wallets.error?.code === "not_found" || (wallets.isSuccess && !main);
  const acting = user.previousCardnumber > 0;
  const list = thingsToDo({ user, card, wallets: owned, now: openedAt, acting });
  return (
    <Page>
      <PageHeader
        title="Ma carte"
        lead={
          acting
            ? `Carte de ${card?.name ?? "votre enfant"}`
            : `Bonjour ${user.type === 1 ? firstName(user) : user.name}`
        }
      />
      <div className="dashboard">
        <div className="dashboard-side">
          {cards.isPending && (
            <Loading label="Chargement de la carte…">
              <CardHeroSkeleton />
            </Loading>
          )}
          {card && <CardHero card={card} kind={kindOf(user)} />}
          {cards.isError && (
            <ErrorState
              title="La carte n’a pas pu être chargée."
              message={cards.error.message}
              retrying={cards.isFetching}
              onRetry={() => void cards.refetch()}
            />
          )}
          <Section>
            {wallets.isPending && <BalanceWait />}
            {main && <Balance wallet={main} others={owned.filter((wallet) => wallet !== main)} />}
            {wallets.isError && !walletless && !main && (
              <BalanceUnavailable
                problem={wallets.error}
                retrying={wallets.isFetching}
                onRetry={() => void wallets.refetch()}
              />
            )}
            {cards.isPending || wallets.isPending ? (
              <ActsWait />
            ) : (
              <Acts card={card} topUp={topUp} family={(cards.data?.items.length ?? 0) > 1} />
            )}
          </Section>
          <ToDoList list={list} card={card} topUp={topUp} />
        </div>
        <div
          className="dashboard-main"
          data-wait={cards.isPending || wallets.isPending || undefined}
        >
          {wallets.isPending && <ChartWait />}
          {wallets.isError && !walletless && !main && <ChartUnavailable />}
          {main && <BalanceChart wallet={main.objectID} />}
          <Section>
            <DashboardTabs
              user={user}
              wallet={main?.objectID ?? null}
              walletless={walletless}
              failed={
                wallets.isError && (
                  <ErrorState
                    title="Les opérations n’ont pas pu être chargées."
                    message={wallets.error.message}
                    retrying={wallets.isFetching}
                    onRetry={() => void wallets.refetch()}
                  />
                )
              }
            />
          </Section>
        </div>
      </div>
    </Page>
  );
}

type DashboardTab = "operations" | "abonnements" | "billets";

function DashboardTabs({
  user,
  wallet,
  walletless,
  failed,
}: {
  user: CurrentUser;
  wallet: string | null;
  walletless: boolean;
  /** What is said when the wallets could not be read. */
  failed: ReactNode;
}) {
  const [search, change] = useSearchParameters();
  const tabs: Tab<DashboardTab>[] = [
    {
      value: "operations",
      label: "Opérations",
      content: wallet ? (
        <Movements
          wallet={wallet}
          filters={filtersOf(search)}
          onFilters={(filters) => change(searchOf(filters))}
        />
      ) : walletless ? (
        <EmptyState icon="wallet" title="Pas de cagnotte sur cette carte">
          Les opérations d’une cagnotte s’afficheraient ici.
        </EmptyState>
      ) : (
        failed || <Skeleton lines={6} height="3.25rem" />
      ),
    },
  ];
  tabs.push({
    value: "abonnements",
    label: "Abonnements",
    content: (
      <Suspense fallback={<Skeleton lines={4} height="3.25rem" />}>
        <SubscriptionsTab user={user} />
      </Suspense>
    ),
  });
  if (user.type === 1) {
    tabs.push({
      value: "billets",
      label: "Billets",
      content: (
        <Suspense fallback={<Skeleton lines={2} height="6rem" />}>
          <TicketList cardnumber={user.cardnumber} />
        </Suspense>
      ),
    });
  }
  const value = tabs.find((tab) => tab.value === search["onglet"])?.value ?? "operations";
  return (
    <Tabs
      label="Ma carte en détail"
      tabs={tabs}
      value={value}
      onValue={(next) => change({ onglet: next === "operations" ? undefined : next })}
    />
  );
}

const ChartWait = () => (
  <Section title="Évolution">
    <div className="dashboard-chart">
      <Skeleton height="var(--chart-height)" />
    </div>
  </Section>
);

/** In the place of the curve, so that what is below stays where it was. */
const ChartUnavailable = () => (
  <Section title="Évolution">
    <div className="dashboard-chart">
      <EmptyState icon="chart" title="Pas de courbe pour le moment">
        Elle s’affichera avec le solde.
      </EmptyState>
    </div>
  </Section>
);

/** The card that the session names, else the person's own. */
const ownCard = (cards: readonly Card[] | undefined, cardnumber: number): Card | null =>
  cards?.find((card) => card.cardnumber === cardnumber) ??
  cards?.find((card) => card.relation === "self") ??
  null;

const rechargePath = ({ objectID, slug, idgroup }: Wallet): string =>
  pathTo("recharge_cagnotte", { objectID, name: slug, idgroup });

const kindOf = ({ type, previousCardnumber }: CurrentUser): string =>
  type === 2 ? "Carte pro" : previousCardnumber > 0 ? "Carte d’enfant" : "Carte personnelle";

const firstName = ({ name }: { name: string }): string => name.split(" ")[0] ?? name;
