// The frame of a page of settings: the way back to « Profil », and where there is room the others beside it.
import type { ReactNode } from "react";
import { paths } from "#contract/paths.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { settingsOf, type SettingsPath, settingsTitle } from "./settings.ts";
import styles from "./settings-page.module.css";

export function SettingsPage({ path, children }: { path: SettingsPath; children: ReactNode }) {
  const { type } = useUser();
  return (
    <Page>
      <PageHeader title={settingsTitle(path)} back={{ href: paths.profile, label: "Profil" }} />
      <div className={styles.frame}>
        <nav className={styles.places} aria-label="Réglages">
          <ul>
            {settingsOf(type).map((place) => (
              <li key={place.path}>
                <Link
                  className={styles.place}
                  href={place.path}
                  aria-current={place.path === path ? "page" : undefined}
                >
                  <Icon name={place.icon} size={20} />
                  {place.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Stack gap={20}>{children}</Stack>
      </div>
    </Page>
  );
}
