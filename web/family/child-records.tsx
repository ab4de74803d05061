// What a child's card holds: its passes, its tickets, its papers, then its movements.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { RightsSection } from "#web/entitlements/rights-section.tsx";

const AllMovements = lazy(async () => ({
  default: (await import("#web/wallet/all-movements.tsx")).AllMovements,
}));

const PassList = lazy(async () => ({
  default: (await import("#web/passes/pass-list.tsx")).PassList,
}));

const TicketList = lazy(async () => ({
  default: (await import("#web/tickets/ticket-list.tsx")).TicketList,
}));

export const ChildRecords = ({ cardnumber }: { cardnumber: number }) => (
  <Suspense fallback={<Waiting />}>
    <Records cardnumber={cardnumber} />
  </Suspense>
);

/** What is short first, shown at once when it is known; the movements go on below. */
function Records({ cardnumber }: { cardnumber: number }) {
  const passes = useAnswer(api.passes.list, { cardnumber });
  const tickets = useAnswer(api.tickets.list, { cardnumber });
  const rights = useAnswer(api.entitlements.list, {});
  if (passes.isPending || tickets.isPending || rights.isPending) return <Waiting />;
  return (
    <>
      <Section title="Titres de transport">
        <PassList cardnumber={cardnumber} offer={false} />
      </Section>
      <Section title="Billets">
        <TicketList cardnumber={cardnumber} quiet />
      </Section>
      <RightsSection cardnumber={cardnumber} />
      <Operations cardnumber={cardnumber} />
    </>
  );
}

const Waiting = () => (
  <Loading label="Chargement des titres, des billets et des droits…">
    <Section>
      <Skeleton lines={6} height="4rem" />
    </Section>
  </Loading>
);

function Operations({ cardnumber }: { cardnumber: number }) {
  const wallets = useAnswer(api.wallet.list, { cardnumber });
  const main = wallets.data?.items.find((one) => one.main) ?? null;
  const walletless = wallets.error?.code === "not_found" || (wallets.isSuccess && !main);
  return (
    <Section title="Opérations">
      {wallets.isError && !walletless && (
        <ErrorState
          title="Les cagnottes de cette carte n’ont pas pu être chargées."
          answer={wallets}
        />
      )}
      {walletless && (
        <EmptyState icon="wallet" title="Pas de cagnotte sur cette carte">
          Ses opérations s’afficheront ici dès qu’une cagnotte sera ouverte.
        </EmptyState>
      )}
      {main && (
        <Suspense fallback={<Skeleton lines={6} height="3.25rem" />}>
          <AllMovements wallet={main.objectID} />
        </Suspense>
      )}
      {wallets.isPending && <Skeleton lines={6} height="3.25rem" />}
    </Section>
  );
}
