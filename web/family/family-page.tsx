// « Famille »: the children one looks after, who shares them, relatives, and invitations that wait.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber, ofName } from "#contract/french.ts";
import { type Member, memberRelationNames, type MemberRelation } from "#contract/family/rows.ts";
import { cardCan, cardStateNames } from "#contract/cards/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { call } from "#web/app/transport/api.ts";
import { useSharedLink } from "#web/app/shared/use-shared-link.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CardRequests } from "./card-requests.tsx";
import { CustodySection } from "./custody-section.tsx";
import styles from "./family.module.css";
import { Received, SentInvitations } from "./invitations.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { RightsLink } from "#web/entitlements/rights-section.tsx";

// Loaded when somebody is first added.
const AddDialog = lazy(async () => ({ default: (await import("./add-dialog.tsx")).AddDialog }));

const groups: readonly { relation: MemberRelation; title: string }[] = [
  { relation: "child", title: "Enfants" },
  { relation: "guardian", title: "Responsables" },
  { relation: "relative", title: "Proches" },
];

export function FamilyPage() {
  const user = useUser();
  const family = useAnswer(api.family.list, {});
  const [adding, setAdding] = useState<"never" | "open" | "closed">("never");
  const link = useSharedLink("invitation", (secret) => call(api.family.claim, { secret }));
  const add = (kind: "primary" | "secondary") => (
    <Button kind={kind} icon="plus" aria-haspopup="dialog" onClick={() => setAdding("open")}>
      Ajouter un membre
    </Button>
  );
  const seen = family.data;
  const isEmpty = seen?.members.length === 0;
  return (
    <Page>
      <PageHeader
        title="Famille"
        lead={
          seen?.minor
            ? "Vos responsables, vos jours de garde et vos proches."
            : "Les cartes de vos enfants, ceux qui les partagent avec vous, et vos proches."
        }
        actions={seen && !seen.minor && !isEmpty && add("primary")}
      />
      {link.problem && (
        <Banner tone="danger" alert title="Cette invitation n’a pas pu être ouverte.">
          {link.problem.message}
        </Banner>
      )}
      {link.message && seen?.received.length === 0 && <Banner>{link.message}</Banner>}
      {family.isPending && <Waiting />}
      {family.isError && !seen && (
        <Section>
          <ErrorState title="Votre famille n’a pas pu être chargée." answer={family} />
        </Section>
      )}
      {seen && (
        <Stack gap={20}>
          {seen.received.length > 0 && <Received list={seen.received} />}
          {isEmpty && (
            <Section>
              <EmptyState
                icon="people"
                title="Personne dans votre famille pour l’instant"
                action={!seen.minor && add(seen.received.length > 0 ? "secondary" : "primary")}
              >
                Rattachez la carte d’un enfant, partagez-la avec son autre responsable, ou invitez
                un proche pour lui envoyer de l’argent.
              </EmptyState>
            </Section>
          )}
          {groups.map(({ relation, title }) => (
            <Members
              key={relation}
              title={title}
              members={seen.members.filter((one) => one.relation === relation)}
            />
          ))}
          {!seen.minor && <CardRequests />}
          <RightsLink minor={seen.minor} />
          {seen.minor && (
            <CustodySection
              cardnumber={user.cardnumber}
              shared={seen.members.filter(({ relation }) => relation === "guardian").length > 1}
            />
          )}
          {seen.minor && <LimitsSection cardnumber={user.cardnumber} />}
          {seen.sent.length > 0 && <SentInvitations list={seen.sent} />}
        </Stack>
      )}
      {seen && adding !== "never" && (
        <Suspense>
          <AddDialog
            open={adding === "open"}
            onClose={() => setAdding("closed")}
            members={seen.members}
          />
        </Suspense>
      )}
    </Page>
  );
}

function Members({ title, members }: { title: string; members: readonly Member[] }) {
  if (members.length === 0) return null;
  return (
    <Section title={title}>
      <DividedList gap={4}>
        {members.map((member) => (
          <li key={member.cardnumber}>
            <MemberLine member={member} />
          </li>
        ))}
      </DividedList>
    </Section>
  );
}

function MemberLine({ member }: { member: Member }) {
  const { cardnumber, name, relation, state, avatar } = member;
  return (
    <LinkRow
      href={linkTo(paths.familyMember, { cardnumber })}
      picture={<PersonAvatar name={name} avatar={avatar} />}
    >
      <span className={styles.memberLineWords}>
        <Text as="span" weight="strong" breakWord>
          {name}
        </Text>
        <Text as="span" tone="soft" size="fine">
          {aboutMember(member)}
        </Text>
        <Text as="span" tone="soft" size="small" numeric>
          {formatCardnumber(cardnumber)}
        </Text>
      </span>
      <span className={styles.memberEnd}>
        {relation === "child" && cardCan.spend({ state }) && <Balance cardnumber={cardnumber} />}
        {state !== "active" && (
          <Badge tone={state === "opposed" ? "danger" : "warning"}>{cardStateNames[state]}</Badge>
        )}
      </span>
    </LinkRow>
  );
}

/** The relation of a member, in a line: « Responsable : vous et Thomas Moreau ». */
export function aboutMember({ relation, shares }: Member): ReactNode {
  const names = shares.join(" et ");
  if (relation === "child") {
    return shares.length > 0 ? `Avec ${names}` : "Vous êtes son seul responsable";
  }
  if (relation === "relative" && shares.length > 0) return `Aussi responsable ${ofName(names)}`;
  return memberRelationNames[relation];
}

/** The same figure as the child's own screen and its page show: what the wallet holds. */
function Balance({ cardnumber }: { cardnumber: number }) {
  const wallets = useAnswer(api.wallet.list, { cardnumber });
  if (wallets.isPending) return <Skeleton height="1.5rem" width="4rem" />;
  const main = wallets.data?.items.find((wallet) => wallet.main);
  if (!main)
    return (
      <Text as="span" tone="soft" size="fine">
        Solde indisponible
      </Text>
    );
  return (
    <Text as="span" weight="strong">
      <span className="unseen">Solde </span>
      <Money cents={main.balanceCents} />
    </Text>
  );
}

const Waiting = () => (
  <Loading label="Chargement de la famille…">
    <Section>
      <Skeleton height="1.75rem" width="8rem" />
      <Skeleton lines={2} height="4.5rem" />
    </Section>
  </Loading>
);
