// The balance now and where it goes, and the actions that people come for.
import { lazy, Suspense, useState } from "react";
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { todayInParis } from "#contract/days.ts";
import { formatAbout, formatMoney } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { ManageCard } from "#web/cards/manage-dialog.tsx";
import { QrDialog } from "#web/cards/qr-dialog.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./dashboard.module.css";

const TopUpInDialog = lazy(async () => ({
  default: (await import("#web/wallet/top-up-dialog.tsx")).TopUpInDialog,
}));

/** What the card can spend in cents, as `card/info` says it (spec §3); null while it is on its way. */
export function BalanceNow({
  creditCents,
  frozen,
}: {
  creditCents: number | null;
  frozen: boolean;
}) {
  return (
    <div className={styles.balanceNow}>
      <div className={styles.balanceHead}>
        <h2 className={styles.balanceLabel}>{frozen ? "Solde" : "Solde disponible"}</h2>
        {frozen && (
          <Badge tone="danger" icon="lock">
            Bloquée
          </Badge>
        )}
      </div>
      {creditCents === null ? (
        <Loading label="Chargement du solde…">
          <Skeleton height="calc(1.05 * var(--money-hero))" width="7rem" />
        </Loading>
      ) : (
        <Money cents={creditCents} size="hero" />
      )}
    </div>
  );
}

/**
 * What is booked and how long the money lasts, of the main wallet; `others` are the card's other wallets, told
 * in one line.
 */
export function BalanceNext({
  wallet: { balanceCents, heldCents, projectedCents, emptyOn },
  others,
}: {
  wallet: Wallet;
  others: readonly Wallet[];
}) {
  const sum = (of: (other: Wallet) => number) => others.reduce((all, one) => all + of(one), 0);
  const elsewhere = {
    balanceCents: sum((one) => one.balanceCents),
    heldCents: sum((one) => one.heldCents),
  };
  return (
    <ul className={styles.balanceNext}>
      {heldCents > 0 && (
        <li>
          <Icon name="calendar" size={20} />
          <span>
            <strong>{formatMoney(balanceCents)}</strong> en tout, dont{" "}
            <strong>{formatMoney(heldCents)}</strong> réservés
          </span>
        </li>
      )}
      <li>
        <Icon name="chart" size={20} />
        {emptyOn ? (
          <span>
            tient jusqu’à <strong>{formatAbout(emptyOn, todayInParis())}</strong> environ
          </span>
        ) : (
          <span>
            {projectedCents > 0 ? "vos dépenses habituelles ne l’épuisent pas" : "rien à dépenser"}
          </span>
        )}
      </li>
      {others.length > 0 && (
        <li>
          <Icon name="gift" size={20} />
          <span>
            et <strong>{formatMoney(elsewhere.balanceCents)}</strong> dans{" "}
            <Link href={paths.wallets}>
              {others.length === 1 ? (others[0]?.name ?? "") : `${others.length} autres cagnottes`}
            </Link>
            {elsewhere.heldCents > 0 && (
              <>
                , <strong>{formatMoney(sum((one) => one.projectedCents))}</strong> après vos
                réservations
              </>
            )}
          </span>
        </li>
      )}
    </ul>
  );
}

/** The balance could not be read: said, with the way to ask again (spec.md 2). */
export function BalanceUnavailable({
  problem,
  retrying,
  onRetry,
}: {
  problem: ApiProblem;
  retrying: boolean;
  onRetry: () => void;
}) {
  return (
    <div className={styles.balanceNow} role="alert">
      <h2 className={styles.balanceLabel}>Solde</h2>
      <p className={styles.balanceMissing}>Solde indisponible</p>
      <p className={styles.balanceWhy}>{problem.message}</p>
      <div>
        <Button size="small" icon="refresh" loading={retrying} onClick={onRetry}>
          Réessayer
        </Button>
      </div>
    </div>
  );
}

/** Recharge, transfer, the QR to pay with, and what is done with the card itself. */
export function Actions({
  card,
  wallet,
  topUp,
  family,
  first,
}: {
  card: Card | null;
  /** The main wallet, null where it is frozen. */
  wallet: Wallet | null;
  /** Whether it can be topped up. */
  topUp: boolean;
  /** Whether there is a family card to send money to. */
  family: boolean;
  /** Whether the recharge is the first thing to do on the screen. */
  first: boolean;
}) {
  return (
    <div className={styles.acts}>
      {wallet && topUp && <TopUpButton wallet={wallet} first={first} />}
      {wallet && card?.canResume === false && (
        <ButtonLink icon="incoming" href={paths.moneyRequest}>
          Demander
        </ButtonLink>
      )}
      {wallet && family && (
        <ButtonLink icon="send" href={paths.transfer}>
          Envoyer
        </ButtonLink>
      )}
      {card && cardCan.spend(card) && <PresentButton card={card} />}
      {card && <ManageCard card={card} own={card.relation === "self"} />}
    </div>
  );
}

/** The amount is asked over the dashboard; a reload or another tab opens the wallet's own page. */
function TopUpButton({ wallet, first }: { wallet: Wallet; first: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        kind={first ? "primary" : "secondary"}
        icon="plus"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Recharger
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Recharger la cagnotte">
        <Suspense fallback={<Skeleton lines={4} height="4rem" />}>
          <TopUpInDialog wallet={wallet} />
        </Suspense>
      </Dialog>
    </>
  );
}

/** The QR at hand where the card is so small that it has no room for it (card.css). */
function PresentButton({ card }: { card: Card }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <span className={styles.present}>
      <Button icon="qr" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <span className="unseen">Afficher le </span>QR code
        <span className="unseen"> de la carte</span>
      </Button>
      <QrDialog card={card} open={isOpen} onClose={() => setIsOpen(false)} />
    </span>
  );
}
