// The gallery itself: the same parts once under each theme.
import { type ReactNode, useState } from "react";
import { AppShell } from "#web/app/shell/shell.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { CardParts } from "./card-parts.tsx";
import { FormParts } from "./form-parts.tsx";
import styles from "./gallery.module.css";
import { ListParts } from "./list-parts.tsx";
import { StateParts } from "./state-parts.tsx";

const themes = [
  { value: "light", label: "Clair" },
  { value: "dark", label: "Sombre" },
  { value: "device", label: "Selon l’appareil" },
] as const;
type Theme = (typeof themes)[number]["value"];

function Themed({ theme, children }: { theme: Theme; children: ReactNode }) {
  return (
    <div className={styles.gallery} data-theme={theme === "device" ? undefined : theme}>
      {children}
    </div>
  );
}

const places = [
  { href: "/dashboard", label: "Accueil", icon: "home" },
  { href: "/services/cagnottes", label: "Cagnottes", icon: "wallet" },
  { href: "/family", label: "Famille", icon: "people", count: 2 },
  { href: "/profil", label: "Profil", icon: "person" },
] as const;

/** The frame of the screens, at `/test/ui?cadre`. */
export function Framed() {
  return (
    <AppShell
      places={places}
      card={{ href: "/dashboard", label: "Ma carte" }}
      person={{ avatar: null, name: "Camille Lefèvre", href: "/profil" }}
      current="/dashboard"
      tools={<IconButton icon="bell" label="Notifications" badge={3} />}
      onLogout={() => undefined}
    >
      <Page>
        <PageHeader title="Bonjour Camille" lead="Voici votre carte aujourd’hui." />
        <CardParts />
      </Page>
    </AppShell>
  );
}

export function Gallery() {
  const [theme, setTheme] = useState<Theme>("device");
  return (
    <Themed theme={theme}>
      <main>
        <Page>
          <PageHeader
            title="Composants"
            lead="Tout ce dont les écrans sont faits."
            actions={<Chips label="Thème" options={themes} value={[theme]} onValue={setTheme} />}
          />
          <Stack gap={24}>
            <CardParts />
            <FormParts />
            <ListParts />
            <StateParts />
          </Stack>
        </Page>
      </main>
    </Themed>
  );
}
