// The day's sales beside the one under way, newest first: each opens in « Ventes ».
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { formatTime, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { lineWords } from "#contract/till/lines.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { shownStateOf, tillSaleFilterNames } from "#contract/till/sales.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Badge } from "#web/ui/banner.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { payerOf, saleTones } from "./till-words.ts";
import styles from "./sale.module.css";

export function DayPane({ counter: { id: partner } }: { counter: TillCounter }) {
  const cut = useServerUnreachable();
  const totals = useAnswer(api.till.today, { partner }, { enabled: !cut }).data;
  const list = usePages(api.till.sales, { partner, from: todayInParis() }, { by: "before" });
  if (cut && !list.data) {
    return (
      <Section title="Ventes du jour">
        <EmptyState icon="wifiOff" title="Hors connexion">
          Les ventes du jour se lisent avec le réseau.
        </EmptyState>
      </Section>
    );
  }
  return (
    <Section
      title="Ventes du jour"
      action={totals && <Money cents={totals.paidCents - totals.returnedCents} size="large" />}
    >
      {totals && (
        <Text tone="soft" size="fine">
          {plural(totals.sales, "vente payée", "ventes payées")}
          {totals.returnedCents > 0 && ", ce qui a été rendu déduit"}
        </Text>
      )}
      <QueryList
        list={list}
        empty={
          <EmptyState icon="wallet" title="Aucune vente aujourd’hui">
            Chaque achat encaissé s’ajoutera ici.
          </EmptyState>
        }
        label="Chargement des ventes du jour…"
        lines={6}
        height="3.5rem"
        failed="Les ventes du jour n’ont pas pu être chargées."
        countLabel={(count) => plural(count, "vente affichée", "ventes affichées")}
      >
        {(sales) => (
          <DividedList>
            {sales.map((sale) => (
              <li key={sale.id}>
                <DaySale sale={sale} />
              </li>
            ))}
          </DividedList>
        )}
      </QueryList>
    </Section>
  );
}

function DaySale({ sale }: { sale: TillSale }) {
  const [{ counter, mode }] = useSearchParameters<"till">();
  const what = lineWords(sale.lines) || sale.label;
  const state = shownStateOf(sale);
  return (
    <Link
      className={styles.daySale}
      href={linkTo(
        paths.till,
        {},
        {
          tab: "ventes",
          sale: sale.id,
          counter,
          mode: mode === "caisse" ? mode : undefined,
        },
      )}
    >
      <Stack as="div" gap={4}>
        <span>
          {formatTime(sale.at)} · {payerOf(sale)}
        </span>
        {what && (
          <Text as="span" tone="soft" size="fine" breakWord>
            {what}
          </Text>
        )}
        {state !== "paid" && <Badge tone={saleTones[state]}>{tillSaleFilterNames[state]}</Badge>}
      </Stack>
      <Money cents={sale.paidCents - sale.refundedCents} />
    </Link>
  );
}
