// The activity log of the account, newest first, by pages of the server.
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { plural } from "#contract/french.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";

type Entry = Output<typeof api.identity.activity>["items"][number];

const pageLength = 10;

export function ActivityList() {
  const list = usePages(api.identity.activity, { limit: pageLength }, { by: "before" });
  return (
    <Section title="Activité du compte">
      <Text tone="soft" size="fine">
        Si une ligne ne vient pas de vous, changez votre mot de passe sans attendre.
      </Text>
      <QueryTable
        list={list}
        label="Chargement de l’activité…"
        lines={5}
        height="3rem"
        failed="L’activité n’a pas pu être chargée."
        empty={
          <EmptyState icon="clock" title="Rien pour le moment">
            Vos connexions et vos changements s’afficheront ici.
          </EmptyState>
        }
        caption="Activité du compte"
        columns={columns}
        keyOf={({ id }) => id}
        countLabel={(count) => plural(count, "ligne affichée", "lignes affichées")}
      />
    </Section>
  );
}

const columns: Column<Entry>[] = [
  { key: "label", label: "Action", place: "title", cell: ({ label }) => label },
  { key: "at", label: "Date", cell: ({ at }) => <DateText at={at} time /> },
  { key: "address", label: "Adresse réseau", cell: ({ address }) => address ?? "—" },
];
