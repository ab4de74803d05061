// The card's subscription, as the session knows it (spec §3: dateRenew, subExp, isc).
import { formatDate } from "#contract/french.ts";
import type { User } from "#contract/identity.ts";
import { Badge } from "#web/ui/banner.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { EmptyState } from "#web/ui/state.tsx";

/** Dates are written DD/MM/YYYY. */
export function Subscription({ user }: { user: Pick<User, "dateRenew" | "subExp" | "isc"> }) {
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
