// « Profil » : who I am, where I can be reached, my password, what was done on my account.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber } from "#contract/french.ts";
import type { Output } from "#contract/endpoint.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { logout } from "#web/app/transport/login.ts";
import { ownCardnumber } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { ActionLink, DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { ActivityList } from "./activity-list.tsx";
import { ContactRows } from "./contact-rows.tsx";
import { ownContactCalls } from "./own-contacts.ts";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import styles from "./profile.module.css";

const AvatarEditor = lazy(async () => ({
  default: (await import("./avatar-editor.tsx")).AvatarEditor,
}));

export type Profile = Output<typeof api.identity.profile>;

export function ProfilePage() {
  const profile = useAnswer(api.identity.profile, {});
  return (
    <Page>
      <PageHeader title="Profil" />
      <div className={styles.profile}>
        <Identity profile={profile.data} />
        <Stack gap={24}>
          {profile.isError && !profile.data ? (
            <Section title="Coordonnées">
              <ErrorState title="Votre profil n’a pas pu être chargé." answer={profile} />
            </Section>
          ) : (
            <>
              <Contacts profile={profile.data} />
              <PasswordSection changedAt={profile.data?.passwordChangedAt} />
            </>
          )}
          <PasskeySection />
          <RecoverySection />
          <SessionsSection />
          <Links />
          <ActivityList />
        </Stack>
      </div>
    </Page>
  );
}

function Links() {
  const { type } = useUser();
  return (
    <Section title="Réglages, aide et données">
      <ActionLink href={paths.notificationChoices} icon="bell" title="Notifications">
        Ce que nous vous envoyons par e-mail ou SMS
      </ActionLink>
      {type === 1 && (
        <ActionLink
          href={paths.wallets}
          icon="wallet"
          title="Alertes de solde et recharge automatique"
        >
          Sous chaque cagnotte
        </ActionLink>
      )}
      <ActionLink href={paths.faq} icon="help" title="Aide">
        Les réponses aux questions les plus fréquentes
      </ActionLink>
      <ActionLink href={paths.contact} icon="mail" title="Nous écrire">
        Vos messages et nos réponses
      </ActionLink>
      {type === 1 && (
        <ActionLink href={paths.allergies} icon="shield" title="Allergènes">
          Ce qui ne doit pas être servi à la cantine
        </ActionLink>
      )}
      <ActionLink href={paths.ownData} icon="download" title="Exporter, conserver, fermer">
        Emporter vos données, savoir ce que nous gardons, fermer le compte
      </ActionLink>
    </Section>
  );
}

const typeNames = { 1: "Titulaire", 2: "Professionnel" } as const;

function Identity({ profile }: { profile: Profile | undefined }) {
  const user = useUser();
  return (
    <div className={styles.profileSide}>
      <div className={styles.profileCard} aria-hidden="true">
        <Card
          cardnumber={ownCardnumber(user)}
          name={user.name}
          kind={user.type === 1 ? "Carte personnelle" : "Carte pro"}
        />
      </div>
      <Section title="Identité">
        <Suspense fallback={<Skeleton height="4.75rem" />}>
          <AvatarEditor
            cardnumber={ownCardnumber(user)}
            name={profile?.name ?? user.name}
            avatar={user.avatar}
            own
          />
        </Suspense>
        <DefinitionList
          items={[
            { label: "Nom", value: profile?.name ?? user.name },
            { label: "Numéro de carte", value: formatCardnumber(ownCardnumber(user)) },
            { label: "Compte", value: typeNames[user.type] },
            {
              label: "Inscription",
              value: profile ? (
                <DateText at={profile.memberSince} />
              ) : (
                <Skeleton width="6rem" height="1.25rem" />
              ),
            },
          ]}
        />
        <Button icon="logout" onClick={() => void logout()}>
          Se déconnecter
        </Button>
      </Section>
    </div>
  );
}

function Contacts({ profile }: { profile: Profile | undefined }) {
  return (
    <Section title="Coordonnées">
      <Text tone="soft" size="fine">
        Vos codes et vos alertes y arrivent. Un changement se confirme par un code envoyé à la
        nouvelle adresse ou au nouveau numéro.
      </Text>
      {profile ? (
        <ContactRows contacts={profile} calls={ownContactCalls} />
      ) : (
        <Loading label="Chargement de vos coordonnées…">
          <Skeleton lines={2} height="3.8125rem" />
        </Loading>
      )}
    </Section>
  );
}
