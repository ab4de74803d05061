// « Appareils » : where the account is open.
import { paths } from "#contract/paths.ts";
import { SettingsPage } from "#web/app/shared/settings-page.tsx";
import { SessionsSection } from "./sessions-section.tsx";

export const DevicesPage = () => (
  <SettingsPage path={paths.devices}>
    <SessionsSection />
  </SettingsPage>
);
