// The balance now and where it goes, and the acts that people come for.
import type { Card } from "#contract/cards.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { Wallet } from "#contract/wallet.ts";
import type { ApiProblem } from "#web/app/api.ts";
import { ManageCard } from "#web/cards/manage-dialog.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";

export const transferPath = "/cagnottes/virement";

/** The main wallet's balance. `others` are the card's other wallets, told in one line. */
export function Balance({ wallet, others }: { wallet: Wallet; others: readonly Wallet[] }) {
  const { balanceCents, heldCents, projectedCents, emptyOn, frozen } = wallet;
  const elsewhere = others.reduce((sum, other) => sum + other.projectedCents, 0);
  return (
    <div className="balance">
      <div className="balance-head">
        <h2 className="balance-label">Solde</h2>
        {frozen && (
          <Badge tone="danger" icon="lock">
            Bloquée
          </Badge>
        )}
      </div>
      <p className="balance-now">
        <Money cents={balanceCents} size="hero" />
      </p>
      <ul className="balance-next">
        <li>
          <Icon name="calendar" size={20} />
          {heldCents > 0 ? (
            <span>
              après vos réservations <strong>{formatMoney(projectedCents)}</strong>
            </span>
          ) : (
            <span>aucune réservation en cours</span>
          )}
        </li>
        <li>
          <Icon name="chart" size={20} />
          {emptyOn ? (
            <span>
              épuisée le <strong>{formatDate(emptyOn).slice(0, 5)}</strong> à ce rythme
            </span>
          ) : (
            <span>
              {projectedCents > 0 ? "à ce rythme, elle dure plus d’un an" : "rien à dépenser"}
            </span>
          )}
        </li>
        {others.length > 0 && (
          <li>
            <Icon name="gift" size={20} />
            <span>
              et <strong>{formatMoney(elsewhere)}</strong> dans{" "}
              <Link href="/services/cagnottes">
                {others.length === 1
                  ? (others[0]?.name ?? "")
                  : `${others.length} autres cagnottes`}
              </Link>
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The balance could not be read: said, with the way to ask again (décision 2). */
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
    <div className="balance" role="alert">
      <h2 className="balance-label">Solde</h2>
      <p className="balance-missing">Solde indisponible</p>
      <p className="balance-why">{problem.message}</p>
      <div>
        <Button size="small" icon="refresh" loading={retrying} onClick={onRetry}>
          Réessayer
        </Button>
      </div>
    </div>
  );
}

export const BalanceWait = () => (
  <div className="balance">
    <Loading label="Chargement du solde…">
      <div className="balance-wait">
        <Skeleton height="1.25rem" width="4rem" />
        <Skeleton height="2.5rem" width="11rem" />
        <Skeleton height="1.5rem" width="14rem" />
        <Skeleton height="1.5rem" width="12rem" />
      </div>
    </Loading>
  </div>
);

/** The place of the acts until it is known which there are. */
export const ActsWait = () => (
  <div className="acts-wait">
    <Skeleton height="2.75rem" />
  </div>
);

/** Recharge, transfer, and what is done with the card itself. */
export function Acts({
  card,
  topUp,
  family,
}: {
  card: Card | null;
  topUp: string | null;
  /** Whether there is a family card to send money to. */
  family: boolean;
}) {
  return (
    <div className="acts">
      {topUp && (
        <ButtonLink kind="primary" icon="plus" href={topUp}>
          Recharger
        </ButtonLink>
      )}
      {topUp && family && (
        <ButtonLink icon="send" href={transferPath}>
          Envoyer
        </ButtonLink>
      )}
      {card && <ManageCard card={card} own={card.relation === "self"} />}
    </div>
  );
}
