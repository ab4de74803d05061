// The prices that a canteen offers: listed with whom they are for, added, ended.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { priceReason } from "#contract/kitchen/prices.ts";
import type { CanteenPrice } from "#contract/kitchen/rules.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { audienceNames, audiences } from "#contract/kitchen/states.ts";
import { todayInParis } from "#contract/days.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { PriceChangeForm } from "./price-change-form.tsx";
import { PriceForm } from "./rules-price-form.tsx";
import styles from "./price-change.module.css";

const isFull = ({ quotientMax, childrenMin, town, class: of }: CanteenPrice): boolean =>
  quotientMax === null && childrenMin === null && town === null && of === null;

/** It is another price that has not begun. */
const isAnnounced = ({ fromOn }: Pick<CanteenPrice, "fromOn">): boolean =>
  fromOn !== null && fromOn > todayInParis();

/** Audiences whose prices all ask something: who meets none of them cannot order. */
const withoutFull = (prices: readonly CanteenPrice[]): string[] =>
  audiences
    .filter((audience) => {
      const own = prices.filter((price) => price.audience === audience);
      return own.length > 0 && !own.some(isFull);
    })
    .map((audience) => `«\u00a0${audienceNames[audience]}\u00a0»`);

const columnsOf = (onEnd: (price: CanteenPrice) => void): Column<CanteenPrice>[] => [
  { key: "name", label: "Tarif", cell: ({ name }) => name, place: "title" },
  {
    key: "audience",
    label: "Pour",
    cell: ({ audience }) => audienceNames[audience],
  },
  { key: "reason", label: "Motif montré aux familles", cell: priceReason },
  {
    key: "price",
    label: "Prix",
    align: "end",
    place: "end",
    cell: ({ priceCents, fromOn, untilOn }) => (
      <>
        {formatMoney(priceCents)}
        {isAnnounced({ fromOn }) && (
          <span className={styles.days}> à partir du {formatDate(fromOn ?? "")}</span>
        )}
        {untilOn && <span className={styles.days}> jusqu’au {formatDate(untilOn)}</span>}
      </>
    ),
  },
  {
    key: "end",
    label: "Action",
    align: "end",
    cell: (price) => (
      <Button
        kind="ghost"
        aria-label={
          isAnnounced(price)
            ? `Annuler le changement du tarif ${price.name}`
            : `Terminer le tarif ${price.name}`
        }
        onClick={() => onEnd(price)}
      >
        {isAnnounced(price) ? "Annuler" : "Terminer"}
      </Button>
    ),
  },
];

export function PricesSection({
  canteen,
  prices,
}: {
  canteen: OwnCanteen;
  prices: readonly CanteenPrice[];
}) {
  const [dialog, setDialog] = useState<"add" | "change" | null>(null);
  const close = () => setDialog(null);
  const [ending, setEnding] = useState<CanteenPrice | null>(null);
  const missing = withoutFull(prices);
  return (
    <Section
      title="Tarifs"
      action={
        <Actions gap={8}>
          {prices.length > 0 && (
            <Button icon="calendar" onClick={() => setDialog("change")}>
              Changer les prix
            </Button>
          )}
          <Button icon="plus" onClick={() => setDialog("add")}>
            Ajouter un tarif
          </Button>
        </Actions>
      }
    >
      {missing.length > 0 && (
        <Banner tone="warning" title={`Pas de tarif sans condition pour ${missing.join(", ")}.`}>
          Qui ne remplit aucune condition ne peut pas commander. Ajoutez un plein tarif.
        </Banner>
      )}
      {prices.length === 0 ? (
        <EmptyState icon="meal" title="Aucun tarif">
          Sans tarif, personne ne peut commander ici.
        </EmptyState>
      ) : (
        <Table
          caption="Tarifs de la cantine"
          columns={columnsOf(setEnding)}
          rows={prices}
          keyOf={({ id }) => id}
        />
      )}
      <Dialog open={dialog === "add"} onClose={close} title="Ajouter un tarif">
        <PriceForm canteen={canteen} onClose={close} />
      </Dialog>
      <Dialog open={dialog === "change"} onClose={close} title="Changer les prix">
        <PriceChangeForm canteen={canteen.id} onClose={close} />
      </Dialog>
      <EndPrice canteen={canteen.id} price={ending} onClose={() => setEnding(null)} />
    </Section>
  );
}

function EndPrice({
  canteen,
  price,
  onClose,
}: {
  canteen: string;
  price: CanteenPrice | null;
  onClose: () => void;
}) {
  const end = useAction((id: string) => call(api.canteen.endPrice, { canteen, price: id }), {
    says: ({ message }) => message,
  });
  if (price && isAnnounced(price)) {
    return (
      <ConfirmAction
        act={end}
        input={price.id}
        onClose={onClose}
        failed="Le changement n’a pas été annulé."
        title={"Annuler ce changement de prix\u202f?"}
        confirm="Annuler le changement"
        cancel="Garder le changement"
      >
        <p>
          «&nbsp;{price.name}&nbsp;» garde son prix d’avant le {formatDate(price.fromOn ?? "")}. Les
          familles prévenues du changement le sont de nouveau.
        </p>
      </ConfirmAction>
    );
  }
  return (
    <ConfirmAction
      act={end}
      input={price?.id ?? null}
      onClose={onClose}
      failed="Le tarif n’a pas été terminé."
      title={"Terminer ce tarif\u202f?"}
      confirm="Terminer le tarif"
      danger
    >
      <p>
        «&nbsp;{price?.name}&nbsp;» n’est plus proposé aux prochaines commandes. Les repas déjà
        commandés gardent leur prix.{" "}
        {price?.untilOn && "Le changement de prix annoncé est annulé aussi. "}
        Pour un autre montant, choisissez plutôt «&nbsp;Changer les prix&nbsp;»{"\u202f"}: aucun
        jour ne reste sans tarif.
      </p>
    </ConfirmAction>
  );
}
