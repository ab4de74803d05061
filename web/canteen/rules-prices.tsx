// The prices that a canteen offers: listed with whom they are for, added, ended.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { priceReason } from "#contract/canteen/prices.ts";
import type { CanteenPrice } from "#contract/canteen/rules.ts";
import type { OwnCanteen } from "#contract/canteen/own.ts";
import { audienceNames, audiences } from "#contract/canteen/states.ts";
import { formatMoney } from "#contract/french.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { notify } from "#web/ui/toast.tsx";
import { PriceForm } from "./rules-price-form.tsx";

const isFull = ({ quotientMax, childrenMin, town, class: of }: CanteenPrice): boolean =>
  quotientMax === null && childrenMin === null && town === null && of === null;

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
    cell: ({ priceCents }) => formatMoney(priceCents),
  },
  {
    key: "end",
    label: "Action",
    align: "end",
    cell: (price) => (
      <Button
        kind="ghost"
        aria-label={`Terminer le tarif ${price.name}`}
        onClick={() => onEnd(price)}
      >
        Terminer
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
  const [adding, setAdding] = useState(false);
  const [ending, setEnding] = useState<CanteenPrice | null>(null);
  const missing = withoutFull(prices);
  return (
    <Section
      title="Tarifs"
      action={
        <Button icon="plus" onClick={() => setAdding(true)}>
          Ajouter un tarif
        </Button>
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
      <Dialog open={adding} onClose={() => setAdding(false)} title="Ajouter un tarif">
        <PriceForm canteen={canteen} onClose={() => setAdding(false)} />
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
  const end = useMutation<{ message: string }, ApiProblem, string>({
    mutationFn: (id) => call(api.canteen.endPrice, { canteen, price: id }),
    onSuccess: async ({ message }) => {
      onClose();
      notify({ text: message, kind: "success" });
      await readAgain(api.canteen.rules, api.canteen.previewRules);
    },
  });
  return (
    <AlertDialog
      open={price !== null}
      onClose={onClose}
      title={"Terminer ce tarif\u202f?"}
      confirm="Terminer le tarif"
      danger
      loading={end.isPending}
      onConfirm={() => price && end.mutate(price.id)}
    >
      <p>
        «&nbsp;{price?.name}&nbsp;» n’est plus proposé aux prochaines commandes. Les repas déjà
        commandés gardent leur prix.
      </p>
      <ProblemBanner problem={end.error} title="Le tarif n’a pas été terminé." />
    </AlertDialog>
  );
}
