// A member of the family. Of a child: the card and what may be done with it, the balance, and what it
// holds in tabs. Of anyone else: who it is and what one can do together, never their money (spec.md 18).
import { useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { api } from "#contract/api.ts";
import { type Card, cardStateNames } from "#contract/cards/rows.ts";
import { firstName, formatCardnumber } from "#contract/french.ts";
import { type Member, memberRelationNames } from "#contract/family/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { TopUpLink } from "#web/wallet/top-up-link.tsx";
import { ChildRequest, useOpenRequest } from "#web/funding/open-request.tsx";
import { CardHeroSkeleton } from "#web/cards/card-hero-skeleton.tsx";
import { CardHero } from "#web/cards/card-hero.tsx";
import { ManageCard } from "#web/cards/manage-dialog.tsx";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { ActionLink, DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { ActForButton } from "./act-for-button.tsx";
import { ActivateButton } from "./activate-button.tsx";
import { ChildTabs } from "./child-tabs.tsx";
import styles from "./family.module.css";
import { LeaveButton } from "./leave-button.tsx";

const AvatarEditor = lazy(async () => ({
  default: (await import("#web/identity/avatar-editor.tsx")).AvatarEditor,
}));

const ChildContacts = lazy(async () => ({
  default: (await import("./child-contacts.tsx")).ChildContacts,
}));

/** The specification passes the parameter as a prop (spec §2 familydetail). */
export function FamilyMemberPage() {
  const { cardnumber = "" } = useParams({ strict: false });
  return <MemberDetail key={cardnumber} cardnumber={Number(cardnumber)} />;
}

const back = { href: paths.family, label: "Famille" };

export function MemberDetail({ cardnumber }: { cardnumber: number }) {
  const family = useAnswer(api.family.list, {});
  const cards = useAnswer(api.cards.list, {});
  const member = family.data?.members.find((one) => one.cardnumber === cardnumber);
  const card = cards.data?.items.find((one) => one.cardnumber === cardnumber) ?? null;
  const cardsFailed = cards.isError && !cards.data;
  if (family.isSuccess && !member) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={member?.name ?? "Famille"}
        lead={member ? memberRelationNames[member.relation] : "\u00a0"}
        back={back}
        actions={
          member &&
          (member.relation === "child" ? (
            <ActForButton cardnumber={cardnumber} />
          ) : (
            <LeaveButton member={member} />
          ))
        }
      />
      {family.isError && !member && (
        <Section>
          <ErrorState title="Ce membre n’a pas pu être chargé." answer={family} />
        </Section>
      )}
      {family.isPending && <MemberWait />}
      {member?.relation === "child" && cardsFailed && cards.error && (
        <Section>
          <ErrorState title="La carte n’a pas pu être chargée." answer={cards} />
        </Section>
      )}
      {member?.relation === "child" && (
        <ChildDetail member={member} card={card} cardsFailed={cardsFailed} />
      )}
      {member && member.relation !== "child" && <OtherDetail member={member} />}
    </Page>
  );
}

const MemberWait = () => (
  <Loading label="Chargement du membre…">
    <div className={styles.memberPage}>
      <CardHeroSkeleton />
    </div>
  </Loading>
);

interface Child {
  member: Member;
  /** Null while it loads, and where it could not be. */
  card: Card | null;
  cardsFailed: boolean;
}

function ChildDetail({ member, card, cardsFailed }: Child) {
  const { cardnumber } = member;
  const wallets = useAnswer(api.wallet.list, { cardnumber });
  const main = wallets.data?.items.find((one) => one.main) ?? null;
  const others = wallets.data?.items.filter((one) => !one.main) ?? [];
  const open = useOpenRequest(cardnumber);
  // The request stands below the balance, whose height its wallets make.
  if (open.waits || (open.request && isFirstRead(wallets))) return <MemberWait />;
  return (
    <div className={styles.memberPage}>
      <Stack gap={20}>
        {card ? (
          <CardHero card={card} kind="Carte d’enfant" />
        ) : (
          !cardsFailed && <CardHeroSkeleton />
        )}
        {card && <StateNote card={card} />}
        <Section>
          {wallets.isPending && (
            <Loading label="Chargement du solde…">
              <Stack>
                <Skeleton height="3.5rem" />
                <Skeleton height="6rem" />
              </Stack>
            </Loading>
          )}
          {main && <ChildBalance main={main} others={others} />}
          {main?.frozen && (
            <Banner tone="danger" title="Cagnotte bloquée">
              Une recharge est contestée auprès de la banque. La cagnotte ne paie et ne se recharge
              pas le temps du litige.
            </Banner>
          )}
          <Actions gap={8} hidden={wallets.isPending}>
            {main && <TopUpLink wallet={main} kind="primary" icon="plus" />}
            {main && !main.frozen && card && hasServed(card) && (
              <SendLink cardnumber={cardnumber} />
            )}
            {card && <ActivateButton card={card} />}
            {card && <ManageCard card={card} own={false} />}
          </Actions>
        </Section>
        <ChildRequest request={open.request} name={member.name} />
      </Stack>
      <div className={styles.memberMain}>
        <ChildTabs member={member} card={card} />
        <Section title="Allergènes">
          <ActionLink
            href={linkTo(paths.allergies, {}, { card: cardnumber })}
            icon="shield"
            title="Ce qui ne doit pas être servi"
          >
            La cantine en tient compte, et vous prévient quand un menu en contient.
          </ActionLink>
        </Section>
        <Section title="Coordonnées">
          <p>
            {`Là où ${firstName(member.name)} reçoit ses messages et ses codes. L’ancienne adresse est prévenue de tout changement et peut l’annuler pendant 72 heures.`}
          </p>
          <Suspense fallback={<Skeleton lines={2} height="4rem" />}>
            <ChildContacts cardnumber={cardnumber} />
          </Suspense>
        </Section>
        <Section title="Photo">
          <Suspense fallback={<Skeleton height="4.75rem" />}>
            <AvatarEditor
              cardnumber={cardnumber}
              name={member.name}
              avatar={member.avatar}
              own={false}
            />
          </Suspense>
        </Section>
      </div>
    </div>
  );
}

/** A card that was never activated neither pays nor receives. */
const hasServed = ({ state }: Card): boolean =>
  !["requested", "approved", "in_production", "shipped", "received"].includes(state);

function StateNote({ card }: { card: Card }) {
  if (card.state === "active") return null;
  if (!hasServed(card)) {
    return (
      <Banner title={`Carte ${cardStateNames[card.state].toLowerCase()}`}>
        Elle paiera une fois reçue et activée.
      </Banner>
    );
  }
  const next = card.replacement;
  return (
    <Banner tone="warning" title={`Carte ${cardStateNames[card.state].toLowerCase()}`}>
      {card.state === "damaged" && next
        ? `Elle paie encore là où elle peut être lue. Sa remplaçante est ${cardStateNames[next.state].toLowerCase()}.`
        : next
          ? `Elle ne paie plus. Sa remplaçante est ${cardStateNames[next.state].toLowerCase()}.`
          : "Elle ne paie rien pour l’instant."}
    </Banner>
  );
}

function ChildBalance({ main, others }: { main: Wallet; others: readonly Wallet[] }) {
  return (
    <div>
      <h2 className={styles.memberLabel}>Solde</h2>
      <p className={styles.memberHero}>
        <Money cents={main.balanceCents} size="hero" />
      </p>
      {main.heldCents > 0 && (
        <p>
          après ses réservations <Money cents={main.projectedCents} />
        </p>
      )}
      {others.length > 0 && (
        <ul className={styles.memberOthers}>
          {others.map((one) => (
            <li key={one.objectID}>
              <span>{one.name}</span> <Money cents={one.balanceCents} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const SendLink = ({ cardnumber }: { cardnumber: number }): ReactNode => (
  <ButtonLink icon="send" href={linkTo(paths.transfer, {}, { recipient: cardnumber })}>
    Envoyer
  </ButtonLink>
);

function OtherDetail({ member }: { member: Member }) {
  const { cardnumber, relation, shares, name } = member;
  return (
    <Section>
      <DefinitionList
        items={[
          { label: "Carte", value: formatCardnumber(cardnumber) },
          shares.length > 0 ? { label: "Aussi responsable de", value: shares.join(", ") } : null,
          {
            label: "Entre vous",
            value:
              relation === "guardian"
                ? "Cette personne voit votre carte, la recharge et peut la suspendre."
                : "Vous pouvez vous envoyer de l’argent. Chacun ne voit que son propre solde.",
          },
        ]}
      />
      <Actions gap={8}>
        <ButtonLink
          kind="primary"
          icon="send"
          href={linkTo(paths.transfer, {}, { recipient: cardnumber })}
          aria-label={`Envoyer de l’argent à ${name}`}
        >
          Envoyer de l’argent
        </ButtonLink>
      </Actions>
    </Section>
  );
}
