// A wallet: what it holds, all that can be done with it, and its operations. The filters live in the address.
import { useParams } from "@tanstack/react-router";
import { paths } from "#contract/paths.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { AllMovements } from "./all-movements.tsx";
import { cardLead, useWallet } from "./reachable-wallets.ts";
import { WalletPanel } from "./wallet-panel.tsx";
import styles from "./wallets.module.css";

export function WalletHistoryPage() {
  const { objectID = "" } = useParams({ strict: false });
  const user = useUser();
  const { wallet, card, pending, problem, fetching, retry } = useWallet(objectID);
  if (!wallet && !pending && !problem) return <NotFound />;
  const back =
    user.type === 1
      ? { href: paths.wallets, label: "Cagnottes" }
      : { href: paths.dashboard, label: "Ma carte" };
  return (
    <Page>
      <PageHeader
        title={wallet?.name ?? "Cagnotte"}
        lead={wallet ? cardLead(wallet, card) : "\u00a0"}
        back={back}
      />
      {problem && (
        <Section>
          <ErrorState
            title="Cette cagnotte n’a pas pu être chargée."
            answer={{ error: problem, isFetching: fetching, refetch: retry }}
          />
        </Section>
      )}
      {pending && (
        <Loading label="Chargement de la cagnotte…">
          <div className={styles.parts}>
            <Section>
              <Skeleton height="10rem" />
            </Section>
            <Section>
              <Skeleton lines={11} height="3.25rem" />
            </Section>
          </div>
        </Loading>
      )}
      {wallet && (
        <div className={styles.parts}>
          {/* On a phone it comes first: it is the first thing that is read, and what is done most. */}
          <WalletPanel wallet={wallet} card={card} />
          <Section title="Opérations">
            <AllMovements wallet={wallet.objectID} topUps={wallet} />
          </Section>
        </div>
      )}
    </Page>
  );
}
