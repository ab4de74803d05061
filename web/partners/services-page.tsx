// « Services »: what the card gives access to, and the transport on which it is enrolled by itself
// (spec §2 services_list_local).
import { api } from "#contract/api.ts";
import type { ServiceFacts } from "#contract/portal/home.ts";
import type { Service } from "#contract/partners/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { factOf } from "./service-facts.ts";
import { servicePathFor, serviceIcons, servicePath } from "./service-paths.ts";
import { TransportList } from "./transport-list.tsx";
import styles from "./services.module.css";

/** A bus comes nearer by the minute. */
const pollMs = 30_000;

export function ServicesPage() {
  const user = useUser();
  const { cardnumber } = user;
  const facts = useAnswer(api.home.services, { cardnumber }, { pollMs, atOnce: true });
  const answer = useAnswer(api.partners.services, {});
  const { data } = answer;
  const reachable = (data?.items ?? []).flatMap((service) => {
    const href = servicePathFor(service, user);
    return href === null ? [] : [{ service, href }];
  });
  return (
    <Page>
      <PageHeader
        title="Services"
        lead={
          user.type === 1
            ? "Tout ce que votre carte vous ouvre."
            : "Tout ce que votre carte professionnelle vous ouvre."
        }
      />
      {!data && (
        <NotLoaded
          answer={answer}
          label="Chargement des services…"
          skeleton={<Places />}
          failed="Les services n’ont pas pu être chargés."
        />
      )}
      {data && reachable.length === 0 && (
        <EmptyState icon="compass" title="Aucun service ouvert pour l’instant">
          Les services de votre carte s’afficheront ici dès leur ouverture.
        </EmptyState>
      )}
      {reachable.length > 0 && (
        <ul className={styles.services}>
          {reachable.map(({ service, href }) => (
            <li key={service.code}>
              <ServiceTile
                service={service}
                href={href}
                facts={facts.data}
                waiting={facts.isPending}
                nowMs={facts.dataUpdatedAt}
              />
            </li>
          ))}
        </ul>
      )}
      {data && <Enrolled type={user.type} />}
    </Page>
  );
}

/** The whole tile leads to the service; what it is for and its conditions are a link of their own. */
function ServiceTile({
  service,
  href,
  facts,
  waiting,
  nowMs,
}: {
  service: Service;
  href: string;
  facts: ServiceFacts | undefined;
  waiting: boolean;
  /** When the facts were read. */
  nowMs: number;
}) {
  const { code, name, summary, closed, screen } = service;
  const details = servicePath(code);
  const fact = facts ? factOf(screen, facts, nowMs) : null;
  return (
    <article className={styles.service} aria-labelledby={`service-${code}`}>
      <IconTile icon={serviceIcons[screen]} />
      <h2 id={`service-${code}`} className={styles.serviceName}>
        <Link href={closed === null ? href : details}>{name}</Link>
      </h2>
      {closed === null ? (
        <p className={fact ? styles.serviceFact : styles.serviceSummary}>
          {waiting ? null : (fact ?? summary)}
        </p>
      ) : (
        <p className={styles.serviceSummary}>
          <Badge tone="warning" icon="pause">
            Fermé
          </Badge>{" "}
          {closed}
        </p>
      )}
      {closed === null && href !== details && (
        <ButtonLink
          kind="ghost"
          size="small"
          href={details}
          className={styles.serviceMore}
          aria-label={`Détails : ${name}`}
        >
          Détails
        </ButtonLink>
      )}
    </article>
  );
}

const Enrolled = ({ type }: { type: 1 | 2 }) => (
  <Section title={type === 1 ? "Transports compris avec votre carte" : "Transport de vos salariés"}>
    <Banner tone="info">
      {type === 1
        ? "Rien à demander\u202f: votre carte active suffit, présentez-la à bord."
        : "Rien à demander\u202f: votre carte professionnelle est rattachée à ces offres."}
    </Banner>
    <TransportList />
  </Section>
);

/** Of the services that are loading. */
const Places = () => (
  <div className={styles.services}>
    {["a", "b", "c", "d"].map((one) => (
      <Skeleton key={one} height="11rem" />
    ))}
  </div>
);
