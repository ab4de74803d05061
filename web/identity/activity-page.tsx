// « Activité » : what was done on the account, newest first, by pages of the server.
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { capital, formatTime, plural, spokenDay } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";

type Entry = Output<typeof api.identity.activity>["items"][number];

const pageLength = 10;

export function ActivityPage() {
  const list = usePages(api.identity.activity, { limit: pageLength }, { by: "before" });
  return (
    <SettingsPage path={paths.activity}>
      <Section>
        <Text tone="soft" size="fine">
          Si une ligne ne vient pas de vous,{" "}
          <Link href={paths.signInSettings}>changez votre mot de passe</Link> sans attendre.
        </Text>
        <QueryTable
          list={list}
          label="Chargement de l’activité…"
          lines={pageLength}
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
          groupOf={({ at }) => capital(spokenDay(at))}
          countLabel={(count) => plural(count, "ligne affichée", "lignes affichées")}
        />
      </Section>
    </SettingsPage>
  );
}

const columns: Column<Entry>[] = [
  { key: "label", label: "Action", place: "title", cell: ({ label }) => label },
  {
    key: "at",
    label: "Heure",
    place: "end",
    cell: ({ at }) => (
      <time className="date" dateTime={at}>
        {formatTime(at)}
      </time>
    ),
  },
  { key: "address", label: "Adresse réseau", cell: ({ address }) => address ?? "—" },
];
