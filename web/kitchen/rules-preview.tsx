// The effect of the typed rules, before they are saved.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRules, RulesPreview } from "#contract/kitchen/rules.ts";
import { formatCount, formatDate, formatMoney, formatTime, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Section } from "#web/ui/layout.tsx";
import { SeeMore } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";

/** Two weeks of services; the others are asked for. */
const atFirst = 10;

type Day = RulesPreview["days"][number];
type Band = RulesPreview["prices"][number];

const weekday = new Intl.DateTimeFormat("fr-FR", { timeZone: "Europe/Paris", weekday: "short" });
/** « lun. 30/11 »: a column of days is read at a glance. */
const shortDay = (moment: string): string =>
  `${weekday.format(new Date(moment))} ${formatDate(moment).slice(0, 5)}`;

function Until({ until, isOpen }: { until: string | null; isOpen: boolean }) {
  if (until === null) return "jamais";
  return (
    <Text as="span" tone={isOpen ? undefined : "soft"}>
      {shortDay(until)} à {formatTime(until)}
      {!isOpen && ", passé"}
    </Text>
  );
}

const columns: readonly Column<Day>[] = [
  {
    key: "day",
    label: "Repas",
    cell: ({ day }) => (
      <Text as="span" noWrap>
        {shortDay(day)}
      </Text>
    ),
    place: "title",
  },
  {
    key: "order",
    label: "Commande jusqu’à",
    cell: ({ orderUntil, canOrder }) => <Until until={orderUntil} isOpen={canOrder} />,
  },
  {
    key: "cancel",
    label: "Annulation sans frais jusqu’à",
    cell: ({ cancelUntil, canCancel }) => <Until until={cancelUntil} isOpen={canCancel} />,
  },
];

const bandWords = (bands: readonly Band[], { quotientMax }: Band): string => {
  if (quotientMax !== null) return `Jusqu’à ${formatCount(quotientMax)}`;
  return bands.length > 1 ? "Au-delà, ou sans quotient" : "Quel que soit le quotient";
};

export function RulesPreviewSection({ canteen, rules }: { canteen: string; rules: CanteenRules }) {
  const answer = useAnswer(api.canteen.previewRules, { canteen, rules });
  // While the next answer is under way the last one stays, so that nothing jumps.
  const [last, setLast] = useState<RulesPreview>();
  if (answer.data && answer.data !== last) setLast(answer.data);
  const [whole, setWhole] = useState(false);
  const preview = answer.data ?? last;
  if (answer.isError && !answer.data) return <ErrorState answer={answer} />;
  if (!preview) return <Skeleton lines={6} height="2.5rem" />;
  const { days, prices } = preview;
  const visible = whole ? days : days.slice(0, atFirst);
  const isTrap = days.some(
    ({ orderUntil, cancelUntil }) =>
      orderUntil !== null && (cancelUntil === null || cancelUntil < orderUntil),
  );
  return (
    <Stack>
      <Section title="Aperçu, avant d’enregistrer">
        {isTrap && (
          <Banner tone="warning" title="On pourra commander trop tard pour annuler sans frais.">
            Les familles le verront avant de confirmer.
          </Banner>
        )}
        {days.length > 0 ? (
          <>
            <Table
              caption="Heures limites des quatre prochaines semaines de service"
              columns={columns}
              rows={visible}
              keyOf={({ day }) => day}
            />
            <SeeMore
              countLabel={`${plural(visible.length, "service")} sur ${days.length}`}
              next={{
                exists: visible.length < days.length,
                loading: false,
                error: null,
                load: () => setWhole(true),
              }}
            />
          </>
        ) : (
          <p>Aucun service n’est prévu dans les cinq prochains mois.</p>
        )}
      </Section>
      <Section title="Exemple : le prix d’un repas">
        <Text tone="soft" size="fine">
          Pour un élève de la commune, seul de sa famille à la cantine.
        </Text>
        <Table
          caption="Prix d’un repas selon le quotient familial"
          columns={[
            {
              key: "band",
              label: "Quotient familial",
              cell: (band) => bandWords(prices, band),
              place: "title",
            },
            {
              key: "price",
              label: "Prix",
              align: "end",
              place: "end",
              cell: ({ price }) => (price ? formatMoney(price.priceCents) : "aucun tarif"),
            },
            { key: "reason", label: "Motif", cell: ({ price }) => price?.reason ?? "—" },
          ]}
          rows={prices}
          keyOf={({ quotientMax }) => quotientMax ?? "beyond"}
        />
      </Section>
    </Stack>
  );
}
