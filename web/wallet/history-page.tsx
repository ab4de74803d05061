// The movements of one wallet, with its balance. The filters live in the address.
import { useParams } from "@tanstack/react-router";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { useUser } from "#web/app/use-observed.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { filtersOf, searchOf } from "./movement-filters.tsx";
import { Movements } from "./movements.tsx";
import { topUpPath, useWallet, walletLead } from "./reachable-wallets.ts";
import "./wallets.css";

export function WalletHistoryPage() {
  const { objectID = "" } = useParams({ strict: false });
  const user = useUser();
  const [search, change] = useSearchParameters();
  const { wallet, card, pending, problem, fetching, retry } = useWallet(objectID);
  if (!wallet && !pending && !problem) return <NotFound />;
  const back =
    user.type === 1
      ? { href: "/services/cagnottes", label: "Cagnottes" }
      : { href: "/dashboard", label: "Ma carte" };
  return (
    <Page>
      <PageHeader
        title="Opérations"
        lead={<span className="history-lead">{wallet ? walletLead(wallet, card) : "\u00a0"}</span>}
        back={back}
        actions={
          wallet
            ? !wallet.frozen && (
                <ButtonLink kind="primary" icon="plus" href={topUpPath(wallet)}>
                  Recharger
                </ButtonLink>
              )
            : pending && <Skeleton height="2.75rem" width="8.75rem" />
        }
      />
      <Section>
        {problem && (
          <ErrorState
            title="Cette cagnotte n’a pas pu être chargée."
            message={problem.message}
            retrying={fetching}
            onRetry={retry}
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
              <h2 className="history-label">Solde</h2>
              <p className="wallet-balance">
                <Money cents={wallet.balanceCents} size="hero" />
              </p>
            </div>
            <Movements
              wallet={wallet.objectID}
              topUps={topUpPath(wallet)}
              filters={filtersOf(search)}
              onFilters={(filters) => change(searchOf(filters))}
            />
          </>
        )}
      </Section>
    </Page>
  );
}
