// The partnerships of one kind, each leading to its own page.
import { api } from "#contract/api.ts";
import { formatDate, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { PartnershipKind, PartnershipLine } from "#contract/partners/partnerships.ts";
import { paths } from "#contract/paths.ts";
import { type Pages, usePages } from "#web/app/transport/pages.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./partnerships.module.css";
import { nameOf, percentOf, stateWords } from "./partnership-words.ts";

/** The pages of a kind; each tells how many there are of every kind. */
export const usePartnerships = (kind: PartnershipKind) =>
  usePages(api.partnerships.list, { kind }, { by: "before" });

export function PartnershipList({
  kind,
  list,
  onInvite,
}: {
  kind: PartnershipKind;
  list: Pages<typeof api.partnerships.list>;
  onInvite: (() => void) | null;
}) {
  return (
    <QueryList
      list={list}
      label="Chargement des partenariats…"
      lines={4}
      height="4rem"
      failed="Les partenariats n’ont pas pu être chargés."
      empty={<Nothing kind={kind} onInvite={onInvite} />}
      countLabel={(count) => plural(count, "partenariat affiché", "partenariats affichés")}
    >
      {(items) => (
        <DividedList gap={4}>
          {items.map((one) => (
            <li key={one.id}>
              <Line one={one} />
            </li>
          ))}
        </DividedList>
      )}
    </QueryList>
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
      href={linkTo(paths.partnership, { id: one.id })}
      picture={<Avatar name={nameOf(one)} />}
    >
      <span className={styles.line}>
        <span className={styles.words}>
          <span className={styles.name}>{nameOf(one)}</span>
          <Text as="span" tone="soft" size="small" weight="normal">
            {one.town ? `${one.town}, ` : ""}
            {formatDate(one.at)}
          </Text>
          <Text as="span" tone="soft" size="small" weight="normal">
            Pour vos cartes&#8239;: {percentOf(one.getsPercent).toLowerCase()}. Pour les
            leurs&#8239;: {percentOf(one.givesPercent).toLowerCase()}.
          </Text>
        </span>
        <Badge tone={one.isWaiting ? "warning" : tone}>
          {one.isWaiting ? "À vous de répondre" : says}
        </Badge>
      </span>
    </LinkRow>
  );
}
