// The movements of one wallet, with its balance. The filters live in the address.
import { useParams } from "@tanstack/react-router";
import { paths } from "#contract/paths.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { AllMovements } from "./all-movements.tsx";
import { Lots } from "./lots.tsx";
import { OtherWallets } from "./other-wallets.tsx";
import { useWallet, walletLead } from "./reachable-wallets.ts";
import { TopUpLink } from "./top-up-link.tsx";
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
        title="Opérations"
        lead={
          <span className={styles.historyLead}>{wallet ? walletLead(wallet, card) : "\u00a0"}</span>
        }
        back={back}
        actions={
          wallet ? (
            <TopUpLink wallet={wallet} kind="primary" icon="plus" />
          ) : (
            pending && <Skeleton height="2.75rem" width="8.75rem" />
          )
        }
      />
      <Section>
        {problem && (
          <ErrorState
            title="Cette cagnotte n’a pas pu être chargée."
            answer={{ error: problem, isFetching: fetching, refetch: retry }}
          />
        )}
        {pending && (
          <Loading label="Chargement de la cagnotte…">
            <Skeleton lines={11} height="3.25rem" />
          </Loading>
        )}
        {wallet && (
          <>
            <div>
              <h2 className={styles.historyLabel}>Solde</h2>
              <p className={styles.walletBalance}>
                <Money cents={wallet.balanceCents} size="hero" />
              </p>
            </div>
            <Lots wallet={wallet} heading="h3" />
            {user.type === 2 && <OtherWallets current={wallet.objectID} />}
            <AllMovements wallet={wallet.objectID} topUps={wallet} />
          </>
        )}
      </Section>
    </Page>
  );
}
