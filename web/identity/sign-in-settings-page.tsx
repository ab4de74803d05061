// « Connexion » : what opens the account: the password, the passkeys, the recovery codes.
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";

export function SignInSettingsPage() {
  const profile = useAnswer(api.identity.profile, {});
  const passkeys = useAnswer(api.identity.passkeys, {});
  const recoveryCodes = useAnswer(api.identity.recoveryCodes, {});
  // Both come at once: how long the first one is moves nothing of the second.
  const isWaiting = [passkeys, recoveryCodes].some(({ data, isError }) => !data && !isError);
  return (
    <SettingsPage path={paths.signInSettings}>
      <PasswordSection changedAt={profile.data?.passwordChangedAt} />
      {isWaiting ? (
        <Loading label="Chargement de vos clés d’accès et de vos codes…">
          <Section>
            <Skeleton lines={5} height="4.5rem" />
          </Section>
        </Loading>
      ) : (
        <>
          <PasskeySection />
          <RecoverySection />
        </>
      )}
    </SettingsPage>
  );
}
