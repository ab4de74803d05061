// The partnerships of one kind, each leading to its own page.
import { type InfiniteData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { formatDate, plural } from "#contract/french.ts";
import type { PartnershipKind, PartnershipLine } from "#contract/partnerships/rows.ts";
import { keyOf } from "#web/app/answers.ts";
import { type Answer, type ApiProblem, call } from "#web/app/api.ts";
import { pathTo } from "#web/paths.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { LinkRow, LinkRows } from "#web/ui/link-row.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { SeeMore } from "#web/ui/table.tsx";
import styles from "./partnerships.module.css";
import { nameOf, percentOf, stateWords } from "./words.ts";

/** The pages of a kind; each tells how many there are of every kind. */
export const usePartnerships = (kind: PartnershipKind) =>
  useInfiniteQuery<
    Page,
    ApiProblem,
    InfiniteData<Page, number | undefined>,
    QueryKey,
    number | undefined
  >({
    queryKey: [...keyOf(api.partnerships.list, { kind }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.partnerships.list, { kind, before: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
type Page = Answer<typeof api.partnerships.list>;

export function PartnershipList({
  kind,
  list,
  onInvite,
}: {
  kind: PartnershipKind;
  list: ReturnType<typeof usePartnerships>;
  onInvite: (() => void) | null;
}) {
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) {
    return (
      <Loading label="Chargement des partenariats…">
        <Skeleton lines={4} height="4rem" />
      </Loading>
    );
  }
  if (list.isError && !list.data) {
    return <ErrorState title="Les partenariats n’ont pas pu être chargés." answer={list} />;
  }
  if (items.length === 0) return <Nothing kind={kind} onInvite={onInvite} />;
  return (
    <>
      <LinkRows>
        {items.map((one) => (
          <li key={one.id}>
            <Line one={one} />
          </li>
        ))}
      </LinkRows>
      <SeeMore
        shown={plural(items.length, "partenariat affiché", "partenariats affichés")}
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}

const nothing: Readonly<Record<PartnershipKind, { title: string; says: string }>> = {
  active: {
    title: "Aucun partenariat en cours",
    says: "Invitez une entreprise : chacune accorde à sa caisse une remise aux cartes de l’autre.",
  },
  waiting: {
    title: "Aucune invitation en attente",
    says: "Les invitations envoyées et reçues attendent ici leur réponse, trente jours au plus.",
  },
  past: {
    title: "Rien de passé",
    says: "Les partenariats terminés et les invitations restées sans suite s’affichent ici.",
  },
};

const deciderInvites =
  "Quand le responsable de votre entreprise s’accorde avec une autre, les remises s’affichent ici.";

const Nothing = ({ kind, onInvite }: { kind: PartnershipKind; onInvite: (() => void) | null }) => (
  <EmptyState
    icon="swap"
    title={nothing[kind].title}
    action={
      onInvite && kind !== "past" && <Button onClick={onInvite}>Inviter une entreprise</Button>
    }
  >
    {kind === "active" && !onInvite ? deciderInvites : nothing[kind].says}
  </EmptyState>
);

function Line({ one }: { one: PartnershipLine }) {
  const { says, tone } = stateWords[one.state];
  return (
    <LinkRow
      href={pathTo("Details_partner", { id: one.id })}
      picture={<Avatar name={nameOf(one)} />}
    >
      <span className={styles.line}>
        <span className={styles.words}>
          <span className={styles.name}>{nameOf(one)}</span>
          <span className={styles.soft}>
            {one.town ? `${one.town}, ` : ""}
            {formatDate(one.at)}
          </span>
          <span className={styles.soft}>
            Pour vos cartes&#8239;: {percentOf(one.getsPercent).toLowerCase()}. Pour les
            leurs&#8239;: {percentOf(one.givesPercent).toLowerCase()}.
          </span>
        </span>
        <Badge tone={one.isWaiting ? "warning" : tone}>
          {one.isWaiting ? "À vous de répondre" : says}
        </Badge>
      </span>
    </LinkRow>
  );
}
