// The orders of a company, the newest first, and the draft to take up again.
import type { api } from "#contract/api.ts";
import type { CardOrderSummary } from "#contract/card-orders/dispatch.ts";
import type { CardOrderDesk } from "#contract/card-orders/rows.ts";
import { cardOrderStateNames } from "#contract/card-orders/states.ts";
import { plural } from "#contract/french.ts";
import type { Pages } from "#web/app/transport/pages.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import type { Column } from "#web/ui/table.tsx";
import { beginPath, orderPath } from "./navigation.ts";
import { tones } from "./words.ts";
import styles from "./card-orders.module.css";

export function OrderList({
  orders,
  desk,
}: {
  orders: Pages<typeof api.cardOrders.list>;
  desk: CardOrderDesk | null;
}) {
  const draft = desk?.draft ?? null;
  return (
    <>
      {desk && (
        <Banner
          tone="info"
          title={
            draft
              ? `Une commande de ${plural(draft.price.quantity, "carte")} vous attend.`
              : "D’autres cartes pour votre entreprise\u202f?"
          }
          actions={
            <ButtonLink size="small" icon={draft ? "forward" : "plus"} href={beginPath}>
              {draft ? "Reprendre" : "Commander des cartes"}
            </ButtonLink>
          }
        >
          {draft
            ? "Elle est gardée à l’étape où vous l’avez laissée."
            : `Vous pouvez en avoir ${desk.left} de plus.`}
        </Banner>
      )}
      {orders.items.length > 0 && (
        <Section>
          <QueryTable
            list={orders}
            empty={null}
            caption="Commandes de cartes"
            columns={columns}
            keyOf={({ id }) => id}
            countLabel={(count) => plural(count, "commande")}
          />
        </Section>
      )}
    </>
  );
}

const columns: Column<CardOrderSummary>[] = [
  {
    key: "number",
    label: "Commande",
    place: "title",
    cell: ({ id, number }) => (
      <Link className={styles.orderLink} href={orderPath(id)}>
        Commande n°&nbsp;{number}
      </Link>
    ),
  },
  { key: "at", label: "Date", cell: ({ orderedAt }) => <DateText at={orderedAt} /> },
  { key: "quantity", label: "Cartes", cell: ({ quantity }) => plural(quantity, "carte") },
  {
    key: "state",
    label: "État",
    place: "end",
    cell: ({ state }) => <Badge tone={tones[state]}>{cardOrderStateNames[state]}</Badge>,
  },
  {
    key: "total",
    label: "Total TTC",
    align: "end",
    cell: ({ totalCents }) => <Money cents={totalCents} />,
  },
];
