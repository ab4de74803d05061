// The grants of a company, the newest first; drafts lead to their payment.
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { plural } from "#contract/french.ts";
import type { GrantSummary } from "#contract/grants/rows.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { amount, left, returned, spent } from "./figures.tsx";
import { grantPath } from "./navigation.ts";
import { stateOf } from "./words.ts";
import styles from "./grants.module.css";

export function GrantList({ first }: { first: Output<typeof api.grants.list> }) {
  const list = usePages(api.grants.list, {}, { by: "before", first });
  return (
    <Section>
      <QueryTable
        list={list}
        empty={null}
        caption="Dotations"
        columns={columns}
        keyOf={({ id }) => id}
        countLabel={(count) => plural(count, "dotation affichée", "dotations affichées")}
      />
    </Section>
  );
}

const columns: Column<GrantSummary>[] = [
  {
    key: "label",
    label: "Dotation",
    place: "title",
    cell: ({ id, number, label, groupName, cards }) => (
      <span className={styles.words}>
        <Link className={styles.name} href={grantPath(id)}>
          {label}
        </Link>
        <Text as="span" tone="soft" size="small" weight="normal" numeric>
          n°&nbsp;{number} · {groupName} · {plural(cards, "carte")}
        </Text>
      </span>
    ),
  },
  {
    key: "state",
    label: "État",
    place: "end",
    cell: (one) => <Badge tone={stateOf(one).tone}>{stateOf(one).name}</Badge>,
  },
  { key: "until", label: "Jusqu’au", cell: ({ expiresOn }) => <DateText at={expiresOn} /> },
  amount("totalCents", "Montant"),
  spent,
  left,
  returned,
];
