// The latest top-ups of a wallet, each with its state and the way to follow it.
import { api } from "#contract/api.ts";
import { type TopUp, type TopUpState, topUpStateNames } from "#contract/payments/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { topUpPath } from "#contract/wallet/top-up-path.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { short } from "./top-up-limits.ts";
import { Owed } from "./owed.tsx";
import styles from "./top-up.module.css";

const visibleCount = 4;

export const stateTones: Readonly<Record<TopUpState, Tone | "neutral">> = {
  initiated: "neutral",
  authorized: "info",
  credited: "success",
  declined: "danger",
  review: "warning",
  refunded: "info",
  disputed: "danger",
};

export const followPath = (topUp: Pick<TopUp, "id" | "wallet">): string =>
  topUpPath(topUp.wallet, { topUp: topUp.id });

/** Says nothing while it loads, nor when it fails: the amount above is what one came for. */
export function LatestTopUps({ wallet }: { wallet: Wallet }) {
  const { data } = useAnswer(api.payments.topUps, { objectID: wallet.objectID });
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const waiting = items.find(({ state, order }) => state === "authorized" && order === null);
  return (
    <>
      <Owed cents={data?.owedCents ?? 0} />
      {waiting && (
        <Banner
          tone="info"
          title={`Une recharge de ${short(waiting.amountCents)} est en route`}
          actions={
            <ButtonLink size="small" href={followPath(waiting)}>
              Suivre cette recharge
            </ButtonLink>
          }
        >
          Votre banque l’a acceptée. Ne la payez pas une seconde fois.
        </Banner>
      )}
      <Section title="Dernières recharges">
        <ul className={styles.latest}>
          {items.slice(0, visibleCount).map((topUp) => (
            <li key={topUp.id}>
              <Link className={styles.latestOne} href={followPath(topUp)}>
                <span className={styles.latestWords}>
                  <Money cents={topUp.amountCents} />
                  <span className={styles.latestWhen}>
                    <DateText at={topUp.createdAt} time />
                    {topUp.order && ` · ${topUp.order.label}`}
                  </span>
                </span>
                <Badge tone={stateTones[topUp.state]}>{topUpStateNames[topUp.state]}</Badge>
                <Icon name="right" size={20} />
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
