// What was done on the account, newest first, by pages of the server.
import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { plural } from "#contract/french.ts";
import { keyOf } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";
import styles from "./profile.module.css";

type Entry = Output<typeof api.identity.activity>["items"][number];

const pageLength = 10;

export function ActivityList() {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.identity.activity, {}), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.identity.activity, { limit: pageLength, before: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title="Activité du compte">
      <p className={styles.profileLead}>
        Si une ligne ne vient pas de vous, changez votre mot de passe sans attendre.
      </p>
      {list.isPending && (
        <Loading label="Chargement de l’activité…">
          <Skeleton lines={5} height="3rem" />
        </Loading>
      )}
      {list.isError && rows.length === 0 && (
        <ErrorState title="L’activité n’a pas pu être chargée." answer={list} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="clock" title="Rien pour le moment">
          Vos connexions et vos changements s’afficheront ici.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <Table
            caption="Activité du compte"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
          />
          {list.isError && (
            <Banner tone="danger" alert title="La suite n’a pas pu être chargée.">
              {list.error.message}
            </Banner>
          )}
          <SeeMore
            shown={plural(rows.length, "ligne affichée", "lignes affichées")}
            more={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
    </Section>
  );
}

const columns: Column<Entry>[] = [
  { key: "label", label: "Action", place: "title", cell: ({ label }) => label },
  { key: "at", label: "Date", cell: ({ at }) => <DateText at={at} time /> },
  { key: "address", label: "Adresse réseau", cell: ({ address }) => address ?? "—" },
];
