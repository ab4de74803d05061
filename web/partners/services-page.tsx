// « Services »: what the card gives access to, and the transport on which it is enrolled by itself
// (spec §2 services_list_local).
import { api } from "#contract/api.ts";
import type { Service } from "#contract/partners/rows.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { servicePathFor, serviceIcons, servicePath } from "./service-paths.ts";
import { TransportList } from "./transport-list.tsx";
import styles from "./services.module.css";

export function ServicesPage() {
  const user = useUser();
  const { data, error, isFetching, refetch } = useAnswer(api.partners.services, {});
  const shown = (data?.items ?? []).flatMap((service) => {
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
      {error && !data && (
        <ErrorState
          title="Les services n’ont pas pu être chargés."
          answer={{ error, isFetching, refetch }}
        />
      )}
      {!data && !error && <Waiting />}
      {data && shown.length === 0 && (
        <EmptyState icon="compass" title="Aucun service ouvert pour l’instant">
          Les services de votre carte s’afficheront ici dès leur ouverture.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <ul className={styles.services}>
          {shown.map(({ service, href }) => (
            <li key={service.code}>
              <ServiceCard service={service} href={href} />
            </li>
          ))}
        </ul>
      )}
      {data && <Enrolled type={user.type} />}
    </Page>
  );
}

function ServiceCard({ service, href }: { service: Service; href: string }) {
  const { code, name, summary, closed, screen } = service;
  const details = servicePath(code);
  return (
    <article className={styles.service} aria-labelledby={`service-${code}`}>
      <header className={styles.serviceHead}>
        <IconTile icon={serviceIcons[screen]} />
        <h2 id={`service-${code}`}>{name}</h2>
        {closed !== null && (
          <Badge tone="warning" icon="pause">
            Fermé
          </Badge>
        )}
      </header>
      <p className={styles.serviceSummary}>{summary}</p>
      {closed !== null && <p className={styles.serviceClosed}>{closed}</p>}
      <div className={styles.serviceActs}>
        {closed === null && href !== details && (
          <ButtonLink href={href} iconEnd="right" aria-label={`Ouvrir : ${name}`}>
            Ouvrir
          </ButtonLink>
        )}
        <ButtonLink
          kind={href === details ? "secondary" : "ghost"}
          href={details}
          aria-label={`${href === details ? "Voir les offres" : "Détails"} : ${name}`}
        >
          {href === details ? "Voir les offres" : "Détails"}
        </ButtonLink>
      </div>
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

const Waiting = () => (
  <Loading label="Chargement des services…">
    <div className={styles.services}>
      {["a", "b", "c", "d"].map((one) => (
        <Skeleton key={one} height="12rem" />
      ))}
    </div>
  </Loading>
);
