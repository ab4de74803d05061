// « Plan du site »: every screen of the route table that an address alone opens, for this person.
import { decide } from "#web/app/shared/guards.ts";
import { isOpenTo, useOwnRoles } from "#web/app/shared/own-roles.tsx";
import { type Entry, isBuilt } from "#web/app/shared/route-entry.ts";
import { currentUser } from "#web/app/transport/session.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { table } from "../paths.ts";
import styles from "./legal.module.css";

const entries: readonly Entry[] = table;

/** Screens that a link with its own parameters or a step leads to are left out. */
const standsAlone = (entry: Entry): boolean =>
  isBuilt(entry) && !entry.redirect && !entry.needsLink && !entry.path.includes(":");

export function SiteMapPage() {
  const user = useObserved(currentUser);
  const reader = user ?? { type: 1, isReset: false };
  const roles = useOwnRoles();
  const isEntered = ({ guard, path }: Entry) =>
    decide(guard, { token: "valid", user: reader }).to === null && isOpenTo(path, roles);
  const listed = entries.filter(standsAlone);
  return (
    <Page narrow>
      <PageHeader title="Plan du site" />
      <Section title={user ? "Votre espace" : "Votre espace, une fois connecté"}>
        <Addresses
          entries={listed.filter((one) => one.guard.kind === "person" && isEntered(one))}
        />
      </Section>
      {!user && (
        <Section title="Se connecter">
          <Addresses entries={listed.filter((one) => one.guard.kind === "guest")} />
        </Section>
      )}
      <Section title="Ouvert à tous">
        <Addresses entries={listed.filter((one) => one.guard.kind === "open")} />
      </Section>
    </Page>
  );
}

const Addresses = ({ entries: list }: { entries: readonly Entry[] }) => (
  <ul className={styles.map}>
    {list.map(({ path, title = "Tableau de bord" }) => (
      <li key={path}>
        <Link href={path}>{title}</Link>
      </li>
    ))}
  </ul>
);
