// « Cagnottes »: a card for each person of the family, a line for each of their wallets (spec §2 services_cagnotte_public, spec.md 12).
import { todayInParis } from "#contract/days.ts";
import { formatAbout, formatCardnumber, formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { Lots } from "./lots.tsx";
import { type CardWallets, ownerName, useReachableWallets } from "./reachable-wallets.ts";
import { TopUpLink } from "./top-up-link.tsx";
import styles from "./wallets.module.css";

export function WalletsPage() {
  const { cards, pending, fetching, problem, retry } = useReachableWallets();
  return (
    <Page>
      <PageHeader
        title="Cagnottes"
        lead={
          cards.length > 1
            ? "Votre argent et celui de vos enfants."
            : "L’argent de votre carte, et ce qu’il peut payer."
        }
        actions={
          <ButtonLink kind="secondary" icon="gift" href={paths.points}>
            Mes points
          </ButtonLink>
        }
      />
      {pending ? (
        <Waiting />
      ) : (
        <>
          {problem && (
            <Banner
              tone="danger"
              alert
              title="Les cartes de vos enfants n’ont pas pu être chargées."
              actions={
                <Button size="small" icon="refresh" loading={fetching} onClick={retry}>
                  Réessayer
                </Button>
              }
            >
              {problem.message}
            </Banner>
          )}
          <div className={styles.walletsCards}>
            {cards.map((one, index) => (
              <CardPart
                key={one.cardnumber}
                owned={one}
                first={index === 0}
                retrying={fetching}
                onRetry={retry}
              />
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

function CardPart({
  owned,
  first,
  retrying,
  onRetry,
}: {
  owned: CardWallets;
  first: boolean;
  retrying: boolean;
  onRetry: () => void;
}) {
  const { card, cardnumber, wallets, problem } = owned;
  const id = `carte-${cardnumber}`;
  return (
    <section className={styles.wallets} aria-labelledby={id}>
      <header className={styles.walletsHead}>
        <h2 id={id}>{ownerName(card)}</h2>
        <Text tone="soft" size="fine" numeric>
          {formatCardnumber(cardnumber)}
        </Text>
      </header>
      {problem && (
        <ErrorState
          title="Les cagnottes de cette carte n’ont pas pu être chargées."
          answer={{ error: problem, isFetching: retrying, refetch: onRetry }}
        />
      )}
      {wallets?.length === 0 && (
        <EmptyState icon="wallet" title="Aucune cagnotte sur cette carte">
          Quand une cagnotte sera ouverte, son solde s’affichera ici.
        </EmptyState>
      )}
      {wallets && wallets.length > 0 && (
        <DividedList>
          {wallets.map((wallet) => (
            <li key={wallet.objectID}>
              <WalletLine wallet={wallet} leading={first && wallet.main} />
            </li>
          ))}
        </DividedList>
      )}
    </section>
  );
}

/** A line: the wallet, what it holds, what is done most. `leading` wears the accent: one a screen. */
function WalletLine({ wallet, leading }: { wallet: Wallet; leading: boolean }) {
  const { name, balanceCents, frozen, main } = wallet;
  const id = `cagnotte-${wallet.objectID}`;
  return (
    <article className={styles.wallet} aria-labelledby={id}>
      <header className={styles.walletHead}>
        <IconTile icon={main ? "wallet" : "meal"} tone={main ? "info" : "neutral"} />
        <div className={styles.walletName}>
          <h3 id={id}>{name}</h3>
          <Prospect wallet={wallet} />
        </div>
        {frozen && (
          <Badge tone="danger" icon="lock">
            Bloquée
          </Badge>
        )}
        <p className={styles.walletBalance}>
          <span className="unseen">Solde </span>
          <Money cents={balanceCents} size="large" />
        </p>
      </header>
      {frozen && (
        <Banner tone="danger" title="Paiements bloqués">
          Une recharge est contestée auprès de la banque. La cagnotte ne paie et ne se recharge pas
          le temps du litige.
        </Banner>
      )}
      <div className={styles.walletActs}>
        <TopUpLink
          wallet={wallet}
          kind={leading ? "primary" : "secondary"}
          size="small"
          icon="plus"
          aria-label={`Recharger : ${name}`}
        />
        <ButtonLink
          kind="ghost"
          size="small"
          icon="clock"
          href={linkTo(paths.movements, wallet)}
          aria-label={`Opérations : ${name}`}
        >
          Opérations
        </ButtonLink>
      </div>
      <details className={styles.walletMore}>
        <summary>
          Détail et alertes<span className="unseen"> : {name}</span>
        </summary>
        <Lots wallet={wallet} />
        <p className={styles.walletRule}>
          <Icon name="info" size={20} />
          {wallet.rule}
        </p>
        <ButtonLink
          kind="ghost"
          size="small"
          icon="bell"
          href={linkTo(paths.automations, wallet)}
          aria-label={`Alertes et recharge automatique : ${name}`}
        >
          Alertes et recharge automatique
        </ButtonLink>
      </details>
    </article>
  );
}

/** The rest once what is booked is paid, and the day it runs out. */
function Prospect({ wallet }: { wallet: Wallet }) {
  const { heldCents, projectedCents, emptyOn } = wallet;
  if (heldCents === 0 && emptyOn === null) return null;
  return (
    <p className={styles.walletProspect}>
      {heldCents > 0 && (
        <span>
          après vos réservations <strong>{formatMoney(projectedCents)}</strong>
        </span>
      )}
      {emptyOn && (
        <span>
          tient jusqu’à <strong>{formatAbout(emptyOn, todayInParis())}</strong> environ
        </span>
      )}
    </p>
  );
}

const Waiting = () => (
  <Loading label="Chargement des cagnottes…">
    <div className={styles.walletsCards}>
      <div className={styles.wallets}>
        <Skeleton height="1.75rem" width="9rem" />
        <Skeleton lines={2} height="8rem" />
      </div>
    </div>
  </Loading>
);
