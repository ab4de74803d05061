// The orders of a company, the newest first, and the draft to take up again.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CardOrderSummary } from "#contract/card-orders/dispatch.ts";
import type { CardOrderDesk } from "#contract/card-orders/rows.ts";
import { cardOrderStateNames } from "#contract/card-orders/states.ts";
import { plural } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useMutation } from "@tanstack/react-query";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";
import { beginPath, orderPath } from "./navigation.ts";
import { tones } from "./words.ts";
import styles from "./card-orders.module.css";

interface Orders {
  items: CardOrderSummary[];
  next: number | null;
}

export function OrderList({ orders, desk }: { orders: Orders; desk: CardOrderDesk | null }) {
  const [older, setOlder] = useState<Orders | null>(null);
  const items = [...orders.items, ...(older?.items ?? [])];
  const next = older ? older.next : orders.next;
  const more = useMutation<Orders, ApiProblem>({
    mutationFn: () => call(api.cardOrders.list, { before: next ?? undefined }),
    onSuccess: (page) =>
      setOlder((before) => ({ items: [...(before?.items ?? []), ...page.items], next: page.next })),
  });
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
      {items.length > 0 && (
        <Section>
          <Table
            caption="Commandes de cartes"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
          />
          <SeeMore
            shown={plural(items.length, "commande")}
            more={next !== null}
            loading={more.isPending}
            onMore={() => more.mutate()}
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
