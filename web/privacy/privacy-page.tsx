// « Mes données » : take them all away, see how long each kind is kept, close the account.
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { ClosingSection } from "./closing-section.tsx";
import { ExportSection } from "./export-section.tsx";

export function PrivacyPage() {
  const { cardnumber } = useUser();
  const answer = useAnswer(api.privacy.read, { cardnumber });
  return (
    <SettingsPage path={paths.ownData}>
      {!answer.data && (
        <NotLoaded
          answer={answer}
          label="Chargement de vos données…"
          skeleton={
            <Section>
              <Skeleton lines={6} height="3rem" />
            </Section>
          }
          failed="Cette page n’a pas pu être chargée."
        />
      )}
      {answer.data && (
        <>
          <ExportSection exports={answer.data.exports} cardnumber={cardnumber} />
          <ClosingSection privacy={answer.data} cardnumber={cardnumber} />
          <RetentionSection />
        </>
      )}
    </SettingsPage>
  );
}

const RetentionSection = () => (
  <Section title="Ce que nous gardons, et combien de temps">
    <Text tone="soft">
      Rien n’est gardé au-delà des durées annoncées, ni vendu. À la fermeture du compte, ce qui
      n’est pas une obligation comptable est effacé.
    </Text>
    <p>
      <Link href={paths.personalData}>Voir les durées par type de donnée</Link>
    </p>
  </Section>
);
