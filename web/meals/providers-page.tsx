// « Cantine »: the providers of meals, those of the family first (spec §2 /commande/cantine).
import { nextOrder } from "#contract/meals/cancel-words.ts";
import { api } from "#contract/api.ts";
import { firstName, plural } from "#contract/french.ts";
import type { CanteenProvider } from "#contract/meals/registrations.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { distanceText, untilText } from "#web/partners/place-words.ts";
import { usePosition } from "#web/app/shared/position.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { providerPath } from "./canteen-paths.ts";
import styles from "./family-meals.module.css";

export function CanteenProvidersPage() {
  const { where, ask, forget } = usePosition();
  const here = where.kind === "here";
  const answer = useAnswer(api.canteen.providers, {});
  const near = useAnswer(api.canteen.providers, here ? where.position : {}, { enabled: here });
  return (
    <Page>
      <PageHeader
        title="Cantine"
        lead="Les menus de la semaine, les repas de la famille, ce qu’ils coûtent."
        actions={
          <ButtonLink icon="calendar" href={paths.meals}>
            Suivi des repas
          </ButtonLink>
        }
      />
      <Loaded
        answer={answer}
        label="Chargement des cantines…"
        lines={2}
        height="7rem"
        failed="Les cantines n’ont pas pu être lues."
      >
        {({ items }) => (
          <>
            {items.length > 0 && (
              <div>
                <Button
                  icon="pin"
                  loading={where.kind === "asking" || (here && near.isPending)}
                  aria-pressed={here}
                  onClick={here ? forget : ask}
                >
                  Autour de moi
                </Button>
              </div>
            )}
            {where.kind === "refused" && (
              <Banner tone="warning" alert>
                {where.why} Autorisez-la dans ses réglages pour lire les distances.
              </Banner>
            )}
            <ProblemBanner problem={near.error} />
            <Providers items={here ? (near.data?.items ?? items) : items} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Providers({ items }: { items: readonly CanteenProvider[] }) {
  if (items.length === 0) {
    return (
      <EmptyState icon="meal" title="Aucune cantine pour l’instant">
        Les restaurants scolaires du réseau paraîtront ici dès leur ouverture.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.providers}>
      {items.map((provider) => (
        <li key={provider.idgroup}>
          <Link className={styles.provider} href={providerPath(provider)}>
            <IconTile icon="meal" />
            <span className={styles.providerWords}>
              <span className={styles.providerName}>{provider.name}</span>
              <span>{provider.summary}</span>
              <Text as="span" tone="soft" size="small">
                {provider.street}, {provider.town}
                {provider.metres !== null && ` · ${distanceText(provider.metres)}`} ·{" "}
                {plural(provider.canteens, "restaurant")}
              </Text>
              {provider.opening && (
                <span className={styles.opening}>
                  <Badge tone={provider.opening.open ? "success" : "neutral"} icon="clock">
                    {provider.opening.open ? "Ouvert" : "Fermé"}
                  </Badge>
                  <Text as="span" tone="soft" size="small">
                    {untilText(provider.opening)}
                  </Text>
                </span>
              )}
              {provider.people.length > 0 ? (
                <span>
                  <Badge tone="info" icon="people">
                    {provider.people.map((name) => firstName(name, provider.people)).join(", ")}
                  </Badge>
                </span>
              ) : (
                <Text as="span" tone="soft" size="small">
                  Personne de votre famille n’y est inscrit.
                </Text>
              )}
              {provider.frozen && (
                <span>
                  <Badge tone="warning">Commandes suspendues</Badge>
                </span>
              )}
              {provider.orderUntil && (
                <Text as="span" tone="soft" size="small">
                  {nextOrder(provider.orderUntil)}
                </Text>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
