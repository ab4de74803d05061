// The dashboard after its first screen: what asks to be done, the children, the next bus, operations,
// subscriptions, meals and tickets in tabs, the curve of the balance.
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { Home } from "#contract/portal/home.ts";
import type { TabOf } from "#contract/searches.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { useNear } from "./use-near.ts";
import { Chips } from "#web/ui/choice.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState, Skeleton } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { ChildrenList } from "./children-list.tsx";
import styles from "./dashboard.module.css";
import { MainWait } from "./dashboard-skeleton.tsx";
import { LatestMovements, useLatest } from "./latest-movements.tsx";
import { StopAhead } from "./stop-ahead.tsx";
import { thingsToDo } from "./things-to-do.ts";
import { ToDoList } from "./to-do-list.tsx";

const BalanceChart = lazy(async () => ({
  default: (await import("./balance-chart.tsx")).BalanceChart,
}));
// Met on their tab only.
const SubscriptionsTab = lazy(async () => ({
  default: (await import("./subscriptions-tab.tsx")).SubscriptionsTab,
}));
const OrdersTab = lazy(async () => ({
  default: (await import("#web/meals/orders-tab.tsx")).OrdersTab,
}));
// Until the tour of the first day is over.
const TourLine = lazy(async () => ({ default: (await import("./tour-line.tsx")).TourLine }));
// For whoever has a child at a canteen.
const loadSickChild = () => import("#web/meals/sick-child.tsx");
const SickChild = lazy(async () => ({ default: (await loadSickChild()).SickChild }));
const TicketList = lazy(async () => ({
  default: (await import("#web/tickets/ticket-list.tsx")).TicketList,
}));

interface MainProps {
  user: CurrentUser;
  card: Card | null;
  wallets: readonly Wallet[];
  /** Null where it could not be read. */
  home: Home | null;
  /** When it was read, by the device's clock. */
  readAt: number;
  openedAt: Date;
  /** The path of the main wallet's recharge, null where there is none. */
  topUp: string | null;
  takesMoney: boolean;
  walletless: boolean;
  /** Shown when the wallets could not be read. */
  failed: ReactNode;
}

export function DashboardMain(props: MainProps) {
  const { user, card, wallets, home, openedAt: now, topUp, takesMoney } = props;
  const canteen = home?.canteen ?? false;
  const wallet = wallets.find((one) => one.main)?.objectID ?? null;
  // Who eats today stands above the rest: it is waited for, so that the rest does not move for it.
  const illnesses = useAnswer(api.canteen.illnesses, {}, { enabled: canteen });
  useLatest(wallet);
  useEffect(() => {
    if (canteen) loadSickChild().catch(() => {});
  }, [canteen]);
  if (isFirstRead(illnesses)) return <MainWait />;
  const [acting, minor] = [user.previousCardnumber > 0, card?.canResume === false];
  const list = thingsToDo({ user, card, wallets, home, now, takesMoney, acting, minor });
  return (
    <>
      {home?.tour && (
        <Suspense fallback={<Skeleton height="44px" />}>
          <TourLine />
        </Suspense>
      )}
      <ToDoList list={list} card={card} topUp={topUp} initialCount={2} />
      <ChildrenList list={home?.children ?? []} />
      {home?.stop && <StopAhead stop={home.stop} readAt={props.readAt} />}
      {canteen && <SickChild />}
      <Section>
        <DashboardTabs {...props} wallet={wallet} />
      </Section>
      {wallet && <BalanceCurve wallet={wallet} />}
    </>
  );
}

function DashboardTabs({
  user,
  wallet,
  walletless,
  failed,
}: Pick<MainProps, "user" | "walletless" | "failed"> & { wallet: string | null }) {
  const [search, change] = useSearchParameters<"dashboard">();
  const tabs: Tab<TabOf<"dashboard">>[] = [
    {
      value: "operations",
      label: "Opérations",
      content: wallet ? (
        <LatestMovements wallet={wallet} />
      ) : walletless ? (
        <EmptyState icon="wallet" title="Pas de cagnotte sur cette carte">
          Les opérations d’une cagnotte s’afficheraient ici.
        </EmptyState>
      ) : (
        failed || <Skeleton lines={6} height="3.25rem" />
      ),
    },
    {
      value: "abonnements",
      label: "Abonnements",
      content: (
        <Suspense fallback={<Skeleton lines={4} height="3.25rem" />}>
          <SubscriptionsTab user={user} />
        </Suspense>
      ),
    },
    {
      value: "commandes",
      label: "Commandes",
      content: (
        <Suspense fallback={<Skeleton lines={4} height="3.25rem" />}>
          <OrdersTab user={user} />
        </Suspense>
      ),
    },
    {
      value: "billets",
      label: "Billets",
      content: (
        <Suspense fallback={<Skeleton lines={2} height="6rem" />}>
          <TicketList cards={[user.cardnumber]} />
        </Suspense>
      ),
    },
  ];
  const value = tabs.find((tab) => tab.value === search.tab)?.value ?? "operations";
  return (
    <Tabs
      label="Ma carte en détail"
      tabs={tabs}
      value={value}
      onValue={(next) => change({ tab: next === "operations" ? undefined : next })}
    />
  );
}

const spans = [
  { value: "30", label: "1 mois" },
  { value: "90", label: "3 mois" },
  { value: "366", label: "1 an" },
] as const;
type Span = (typeof spans)[number]["value"];

/**
 * The curve comes last on the screen, and is asked for when it is near. What stands around it is drawn at once:
 * nothing moves when its script comes.
 */
function BalanceCurve({ wallet }: { wallet: string }) {
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place);
  const [span, setSpan] = useState<Span>("30");
  return (
    <div ref={place}>
      <Section
        title="Évolution"
        action={<Chips label="Durée montrée" options={spans} value={[span]} onValue={setSpan} />}
      >
        <div className={styles.dashboardChart}>
          <Suspense fallback={<Skeleton height="var(--chart-height)" />}>
            <BalanceChart wallet={wallet} days={Number(span)} near={near} />
          </Suspense>
        </div>
      </Section>
    </div>
  );
}
