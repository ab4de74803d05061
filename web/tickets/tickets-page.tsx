// « E-billets »: what is on, one's tickets, the cart. Which part is shown lives in the address, so that
// a reload, a link and the browser's Back find it again.
import { lazy } from "react";
import { api } from "#contract/api.ts";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { useSharedLink } from "#web/app/shared/use-shared-link.ts";
import { call } from "#web/app/transport/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { CartPage, CartBar } from "./cart-page.tsx";
import { EventPage } from "./event-page.tsx";
import { EventList } from "./event-list.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { useCart } from "./use-cart.ts";
import { TicketList } from "./ticket-list.tsx";

const OrderPage = lazy(async () => ({ default: (await import("./order-page.tsx")).OrderPage }));

export function TicketsPage() {
  const [search] = useSearchParameters<"tickets">();
  const { order, cart, event } = search;
  const part = order ?? (cart === undefined ? (event ?? "") : "cart");
  const place = useFocusAtStep(part);
  return (
    <div ref={place}>
      {order ? (
        <OrderPage order={order} payment={search.payment ?? null} />
      ) : cart === undefined ? (
        event ? (
          <EventPage id={event} />
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
  const [search, change] = useSearchParameters<"tickets">();
  const tab = search.tab === "billets" ? "billets" : "affiche";
  const link = useSharedLink("billet", (secret) => call(api.tickets.claim, { secret }));
  const mine = useAnswer(api.tickets.list, { cardnumber: user.cardnumber });
  const waiting =
    (mine.data?.received.length ?? 0) +
    (mine.data?.waitingList.filter(({ state }) => state === "offered").length ?? 0);
  return (
    <Page>
      <PageHeader
        title="E-billets"
        lead="Spectacles, musées, sport : vos places, et vos billets toujours sur vous."
      />
      {link.problem && (
        <Banner tone="danger" alert title="Ce lien ne donne plus de billet.">
          {link.problem.message}
        </Banner>
      )}
      <Tabs
        label="E-billets"
        value={tab}
        onValue={(value) => change({ tab: value === "billets" ? value : undefined })}
        tabs={[
          { value: "affiche", label: "À l’affiche", content: <EventList /> },
          { value: "billets", label: "Mes billets", count: waiting, content: <FamilyTickets /> },
        ]}
      />
    </Page>
  );
}

export function FamilyTickets() {
  const { cards: holders, problem, fetching, retry } = useOwnCards({ without: ["replaced"] });
  const cart = useCart();
  if (problem) {
    return (
      <Section>
        <ErrorState
          title="Les billets n’ont pas pu être chargés."
          answer={{ error: problem, isFetching: fetching, refetch: retry }}
        />
      </Section>
    );
  }
  if (!holders || isFirstRead(cart)) {
    return (
      <Section>
        <Loading label="Chargement des billets…">
          <Skeleton lines={3} height="6rem" />
        </Loading>
      </Section>
    );
  }
  return (
    <Stack>
      <CartBar />
      <Section title={holders.length > 1 ? "Billets de la famille" : "Mes billets"}>
        <TicketList cards={holders.map(({ cardnumber }) => cardnumber)} />
      </Section>
    </Stack>
  );
}
