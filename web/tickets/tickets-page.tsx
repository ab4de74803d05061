// « E-billets »: what is on, one's tickets, the cart. Which part is shown lives in the address, so that
// a reload, a link and the browser's Back find it again.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { Coming } from "#web/app/states.tsx";
import { useSearchParameters } from "#web/app/search.ts";
import { useUser } from "#web/app/use-observed.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { CartPage } from "./cart-page.tsx";
import { EventPage } from "./event-page.tsx";
import { EventList } from "./event-list.tsx";
import { FamilyTickets } from "./family-tickets.tsx";
import "./tickets.css";

const OrderPage = lazy(async () => ({ default: (await import("./order-page.tsx")).OrderPage }));

export function TicketsPage() {
  const [search] = useSearchParameters();
  const { commande, panier, offre } = search;
  const part = commande ?? (panier === undefined ? (offre ?? "") : "panier");
  const place = useFocusAtStep(part);
  return (
    <div ref={place}>
      {commande ? (
        <Suspense fallback={<Coming />}>
          <OrderPage order={commande} payment={search["paiement"] ?? null} />
        </Suspense>
      ) : panier === undefined ? (
        offre ? (
          <EventPage id={offre} />
        ) : (
          <Home />
        )
      ) : (
        <CartPage />
      )}
    </div>
  );
}

function Home() {
  const user = useUser();
  const [search, change] = useSearchParameters();
  const tab = search["onglet"] === "billets" ? "billets" : "affiche";
  const mine = useAnswer(api.tickets.list, { cardnumber: user.cardnumber });
  const waiting =
    (mine.data?.received.length ?? 0) +
    (mine.data?.waits.filter(({ state }) => state === "offered").length ?? 0);
  return (
    <Page>
      <PageHeader
        title="E-billets"
        lead="Spectacles, musées, sport : vos places, et vos billets toujours sur vous."
      />
      <Tabs
        label="E-billets"
        value={tab}
        onValue={(value) => change({ onglet: value === "billets" ? value : undefined })}
        tabs={[
          { value: "affiche", label: "À l’affiche", content: <EventList /> },
          { value: "billets", label: "Mes billets", count: waiting, content: <FamilyTickets /> },
        ]}
      />
    </Page>
  );
}
