// The sales of one's own tills to the partner's cards, by month.
import { api } from "#contract/api.ts";
import { formatCount, formatMonth } from "#contract/french.ts";
import type { PartnerFigures } from "#contract/till/partnerships.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./partnerships.module.css";

export function Figures({ id }: { id: string }) {
  const answer = useAnswer(api.till.partnerFigures, { id });
  const seen = answer.data;
  return (
    <Section title="Vos ventes à leurs cartes">
      {!seen && (
        <NotLoaded answer={answer} height="6rem" failed="Les ventes n’ont pas pu être chargées." />
      )}
      {seen?.sales === 0 && (
        <Text tone="soft" size="small" weight="normal">
          Aucune vente à leurs cartes pour l’instant.
        </Text>
      )}
      {seen && seen.sales > 0 && (
        <>
          <dl className={styles.figures}>
            <div>
              <dt>Ventes</dt>
              <dd>{formatCount(seen.sales)}</dd>
            </div>
            <div>
              <dt>Encaissé</dt>
              <dd>
                <Money cents={seen.paidCents} />
              </dd>
            </div>
            <div>
              <dt>Remises</dt>
              <dd>
                <Money cents={seen.discountCents} />
              </dd>
            </div>
          </dl>
          <Table
            caption="Ventes par mois"
            columns={columns}
            rows={seen.months}
            keyOf={({ month }) => month}
          />
        </>
      )}
    </Section>
  );
}

const columns: readonly Column<PartnerFigures["months"][number]>[] = [
  { key: "month", label: "Mois", place: "title", cell: ({ month }) => formatMonth(`${month}-01`) },
  { key: "sales", label: "Ventes", align: "end", cell: ({ sales }) => formatCount(sales) },
  {
    key: "paid",
    label: "Encaissé",
    align: "end",
    place: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
];
