// « Profil » : who one is, and the settings of the account, each with its present state.
import { api } from "#contract/api.ts";
import { formatCardnumber, formatDate } from "#contract/french.ts";
import type { Output } from "#contract/endpoint.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { logout } from "#web/app/transport/login.ts";
import { ownCardnumber } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { AvatarEditor } from "./avatar-editor.tsx";
import { SettingsList } from "./settings-list.tsx";
import styles from "./profile-page.module.css";

type Profile = Output<typeof api.identity.profile>;

export function ProfilePage() {
  const profile = useAnswer(api.identity.profile, {});
  const failed = profile.isError && !profile.data;
  return (
    <Page>
      <PageHeader title="Profil" />
      <div className={styles.profile}>
        <Identity profile={profile.data} />
        <Stack gap={12}>
          {failed && (
            <Banner
              tone="danger"
              title="L’état de vos réglages n’a pas pu être chargé."
              actions={
                <Button
                  size="small"
                  icon="refresh"
                  loading={profile.isFetching}
                  onClick={() => void profile.refetch()}
                >
                  Réessayer
                </Button>
              }
            >
              {profile.error?.message}
            </Banner>
          )}
          <Section>
            <SettingsList profile={profile.data} failed={failed} />
          </Section>
          <Row gap={8} spread>
            <Text size="fine">
              <Link href={paths.faq}>Aide</Link> · <Link href={paths.contact}>Nous écrire</Link>
            </Text>
            <Button icon="logout" onClick={() => void logout()}>
              Se déconnecter
            </Button>
          </Row>
        </Stack>
      </div>
    </Page>
  );
}

const typeNames = { 1: "Titulaire", 2: "Professionnel" } as const;

function Identity({ profile }: { profile: Profile | undefined }) {
  const user = useUser();
  const name = profile?.name ?? user.name;
  return (
    <div className={styles.side}>
      <div className={styles.card} aria-hidden="true">
        <Card
          cardnumber={ownCardnumber(user)}
          name={user.name}
          kind={user.type === 1 ? "Carte personnelle" : "Carte pro"}
        />
      </div>
      <Section>
        <AvatarEditor cardnumber={ownCardnumber(user)} name={name} avatar={user.avatar} own>
          <h2>{name}</h2>
          <Text tone="soft" size="fine" numeric>
            Carte {formatCardnumber(ownCardnumber(user))}
          </Text>
          <Text as="span" tone="soft" size="fine">
            {profile ? (
              `${typeNames[user.type]} depuis le ${formatDate(profile.memberSince)}`
            ) : (
              <Skeleton width="12rem" />
            )}
          </Text>
        </AvatarEditor>
      </Section>
    </div>
  );
}
