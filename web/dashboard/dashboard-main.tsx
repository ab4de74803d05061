// The part of the dashboard after the card: operations, subscriptions, meals and tickets in tabs, what comes
// next, and the curve of the balance.
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { HomeComing } from "#contract/portal/home.ts";
import type { TabOf } from "#contract/searches.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { useNear } from "./use-near.ts";
import { Chips } from "#web/ui/choice.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState, Skeleton } from "#web/ui/state.tsx";
import { type Tab, Tabs } from "#web/ui/tabs.tsx";
import { ComingList } from "./coming-list.tsx";
import styles from "./dashboard.module.css";
import { MainWait } from "./dashboard-skeleton.tsx";
import { LatestMovements, useLatest } from "./latest-movements.tsx";
import { OwnPhone } from "./own-phone.tsx";

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
// For whoever has a child at a canteen.
const loadSickChild = () => import("#web/meals/sick-child.tsx");
const SickChild = lazy(async () => ({ default: (await loadSickChild()).SickChild }));
const TicketList = lazy(async () => ({
  default: (await import("#web/tickets/ticket-list.tsx")).TicketList,
}));

interface MainProps {
  user: CurrentUser;
  wallet: string | null;
  walletless: boolean;
  /** Shown when the wallets could not be read. */
  failed: ReactNode;
}

export function DashboardMain({
  coming,
  canteen,
  ...rest
}: MainProps & { coming: readonly HomeComing[]; canteen: boolean }) {
  // Who eats today stands above the rest: it is waited for, so that the rest does not move for it.
  const illnesses = useAnswer(api.canteen.illnesses, {}, { enabled: canteen });
  useLatest(rest.wallet);
  useEffect(() => {
    if (canteen) loadSickChild().catch(() => {});
  }, [canteen]);
  if (isFirstRead(illnesses)) return <MainWait />;
  return (
    <>
      {canteen && <SickChild />}
      <Section>
        <DashboardTabs {...rest} />
      </Section>
      <ComingList list={coming} />
      {rest.user.previousCardnumber === 0 && <OwnPhone />}
      {rest.wallet && <BalanceCurve wallet={rest.wallet} />}
    </>
  );
}

function DashboardTabs({ user, wallet, walletless, failed }: MainProps) {
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
