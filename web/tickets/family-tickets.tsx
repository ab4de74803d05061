// « Mes billets »: those of the current card, then of each child.
import { useQueries } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { answerOptions } from "#web/app/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { CartBar } from "./cart-bar.tsx";
import { useCart, useHolders } from "./cards.ts";
import { TicketList } from "./ticket-list.tsx";

export function FamilyTickets() {
  const holders = useHolders();
  const cart = useCart();
  // All at once: a list that comes late would push down those after it.
  const lists = useQueries({
    queries: (holders ?? []).map(({ cardnumber }) =>
      answerOptions(api.tickets.list, { cardnumber }),
    ),
  });
  if (!holders || cart.isPending || lists.some(({ isPending }) => isPending)) {
    return (
      <Section>
        <Loading label="Chargement des billets…">
          <Skeleton lines={3} height="6rem" />
        </Loading>
      </Section>
    );
  }
  return (
    <div className="family-tickets">
      <CartBar />
      {holders.map(({ cardnumber, name }, index) => (
        <Section key={cardnumber} title={index === 0 ? "Mes billets" : `Billets de ${name}`}>
          <TicketList cardnumber={cardnumber} quiet={index > 0} />
        </Section>
      ))}
    </div>
  );
}
