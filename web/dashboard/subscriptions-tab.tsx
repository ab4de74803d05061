// The subscriptions of the card: the one that the session knows (spec §3: dateRenew, subExp, isc), then its
// passes for the bus.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { formatDate } from "#contract/french.ts";
import type { User } from "#contract/identity/rows.ts";
import { wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { PassList } from "#web/passes/pass-list.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState, Skeleton } from "#web/ui/state.tsx";
import styles from "./dashboard.module.css";

const FormulaChoice = lazy(async () => ({
  default: (await import("#web/subscriptions/formula-choice.tsx")).FormulaChoice,
}));

export function SubscriptionsTab({ user }: { user: CurrentUser }) {
  // What the session knows of a subscription is the person's own.
  const own = user.previousCardnumber === 0;
  return (
    <div className={styles.dashboardTab}>
      {own && <Subscription user={user} />}
      {own && (
        <p>
          {user.isc === 1 ? (
            <ButtonLink href={paths.subscription} icon="calendar">
              Voir mon abonnement
            </ButtonLink>
          ) : (
            <ChooseSubscription cardnumber={user.cardnumber} />
          )}
        </p>
      )}
      <section aria-labelledby="dashboard-passes">
        <h3 id="dashboard-passes">Titres de transport</h3>
        <PassList cards={[user.cardnumber]} />
      </section>
    </div>
  );
}

/** The first step over the dashboard; the next ones are on the page of the subscription. */
function ChooseSubscription({ cardnumber }: { cardnumber: number }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="calendar" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Choisir un abonnement
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="S’abonner">
        <Suspense fallback={<Skeleton lines={4} height="6rem" />}>
          <FormulaChoice
            cardnumber={cardnumber}
            chosen={null}
            onChosen={(next) =>
              void navigate({
                to: paths.subscription,
                search: wireSearch<"subscription">(next),
              })
            }
          />
        </Suspense>
      </Dialog>
    </>
  );
}

/** Dates are written DD/MM/YYYY. */
function Subscription({ user }: { user: Pick<User, "dateRenew" | "subExp" | "isc"> }) {
  if (user.subExp === 0 && user.dateRenew === null) {
    return (
      <EmptyState icon="calendar" title="Aucun abonnement sur cette carte">
        Votre carte paie avec le solde de sa cagnotte.
      </EmptyState>
    );
  }
  const running = user.isc === 1;
  const end = formatDate(new Date(user.subExp * 1000));
  return (
    <DefinitionList
      items={[
        {
          label: "État",
          value: running ? (
            <Badge tone="success">En cours</Badge>
          ) : (
            <Badge tone="warning">Terminé</Badge>
          ),
        },
        user.dateRenew === null
          ? null
          : { label: "Renouvellement", value: <DateText at={user.dateRenew} /> },
        user.subExp === 0
          ? null
          : { label: running ? "Valable jusqu’au" : "A pris fin le", value: end },
      ]}
    />
  );
}
