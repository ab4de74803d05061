// The cards of an order, each in its state.
import { useState } from "react";
import type { CardDispatch } from "#contract/card-orders/dispatch.ts";
import { cardStateNames } from "#contract/cards/rows.ts";
import { formatCardnumber, theOthers } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./card-orders.module.css";

type OrderedCard = CardDispatch["cards"][number];

/** Cards shown before the others are asked for. */
const initialCount = 20;

export function OrderedCards({ cards }: { cards: readonly OrderedCard[] }) {
  const [all, setAll] = useState(false);
  const visible = all ? cards : cards.slice(0, initialCount);
  return (
    <>
      <Table
        caption="Cartes de la commande"
        columns={columns}
        rows={visible}
        keyOf={(card) => cards.indexOf(card)}
      />
      <div className={styles.acts}>
        {visible.length < cards.length && (
          <Button kind="ghost" onClick={() => setAll(true)}>
            Voir {theOthers(cards.length - visible.length)}
          </Button>
        )}
        <ButtonLink href={paths.proCards} icon="card">
          Toutes les cartes pro
        </ButtonLink>
      </div>
    </>
  );
}

const columns: Column<OrderedCard>[] = [
  {
    key: "name",
    label: "Porteur",
    place: "title",
    cell: ({ name }) =>
      name ?? (
        <Text as="span" tone="soft" size="small" weight="normal">
          À attribuer
        </Text>
      ),
  },
  {
    key: "number",
    label: "Carte",
    cell: ({ cardnumber }) =>
      cardnumber === null ? (
        <Text as="span" tone="soft" size="small" weight="normal">
          À fabriquer
        </Text>
      ) : (
        <Text as="span" numeric noWrap>
          {formatCardnumber(cardnumber)}
        </Text>
      ),
  },
  {
    key: "state",
    label: "État",
    place: "end",
    cell: ({ state }) => (
      <Badge tone={state === "active" ? "success" : "info"}>
        {state === null ? "Commandée" : cardStateNames[state]}
      </Badge>
    ),
  },
];
