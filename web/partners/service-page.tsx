// One service: what it is for, on which conditions, and the way in (spec §2 service-index).
import { useParams } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import type { ServiceSheet } from "#contract/partners/rows.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { servicePathFor, serviceIcons } from "./service-paths.ts";
import { TransportList } from "./transport-list.tsx";
import styles from "./services.module.css";

const back = { href: paths.services, label: "Services" };

export function ServicePage() {
  const { code = "" } = useParams({ strict: false });
  const user = useUser();
  const answer = useAnswer(api.partners.service, { code });
  const { data, error } = answer;
  if (error?.status === 404 || error?.status === 400) return <NotFound />;
  if (data) {
    const href = servicePathFor(data, user);
    return href === null ? <NotFound /> : <Sheet service={data} href={href} />;
  }
  return (
    <Page narrow>
      <PageHeader title="Services" back={back} />
      <NotLoaded
        answer={answer}
        label="Chargement du service…"
        height="18rem"
        failed="Ce service n’a pas pu être chargé."
      />
    </Page>
  );
}

function Sheet({ service, href }: { service: ServiceSheet; href: string }) {
  const { name, summary, description, conditions, closed, screen } = service;
  return (
    <Page narrow>
      <PageHeader title={name} lead={summary} back={back} />
      {closed !== null && (
        <Banner tone="warning" title="Ce service est fermé pour l’instant.">
          {closed}
        </Banner>
      )}
      <Section>
        <div className={styles.serviceBody}>
          {description.split("\n\n").map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        {closed === null && screen !== "transport" && (
          <div className={styles.serviceActs}>
            <ButtonLink kind="primary" icon={serviceIcons[screen]} href={href}>
              {ways[screen]}
            </ButtonLink>
          </div>
        )}
      </Section>
      {closed === null && screen === "transport" && (
        <Section title="Les offres">
          <TransportList />
        </Section>
      )}
      {conditions.length > 0 && (
        <Section title="Conditions">
          <ul className={styles.conditions}>
            {conditions.map((one) => (
              <li key={one}>
                <Icon name="check" size={20} />
                <span>{one}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}

const ways: Record<Exclude<ServiceSheet["screen"], "transport">, string> = {
  wallets: "Voir mes cagnottes",
  subscription: "Choisir ma formule",
  transit: "Voir les lignes",
  tickets: "Voir les sorties",
  canteen: "Voir les menus",
  directory: "Chercher un lieu",
  membership: "Faire ma demande",
};
