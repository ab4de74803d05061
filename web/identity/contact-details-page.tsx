// « Coordonnées » : the e-mail and the phone that codes and alerts are sent to.
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { ContactRows } from "./contact-rows.tsx";
import { ownContactCalls } from "./own-contacts.ts";

export function ContactDetailsPage() {
  const profile = useAnswer(api.identity.profile, {});
  return (
    <SettingsPage path={paths.contactDetails}>
      <Section>
        <Text tone="soft" size="fine">
          Vos codes et vos alertes y arrivent. Un changement se confirme par un code envoyé à la
          nouvelle adresse ou au nouveau numéro.
        </Text>
        {profile.data ? (
          <ContactRows contacts={profile.data} calls={ownContactCalls} />
        ) : (
          <NotLoaded
            answer={profile}
            label="Chargement de vos coordonnées…"
            skeleton={<Skeleton lines={2} height="3.8125rem" />}
            failed="Vos coordonnées n’ont pas pu être chargées."
          />
        )}
      </Section>
    </SettingsPage>
  );
}
