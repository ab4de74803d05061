// The pro card: its drawing, what it can spend, and what is done with it.
import type { UseQueryResult } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { TopUpLink } from "#web/wallet/top-up-link.tsx";
import { CardHero } from "#web/cards/card-hero.tsx";
import { ManageCard } from "#web/cards/manage-dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { BalanceUnavailable } from "./balance-panel.tsx";
import { useCredit } from "./use-credit.ts";
import styles from "./professional.module.css";

export function ProfessionalCard({ card, cards }: { card: Card | null; cards: UseQueryResult }) {
  const user = useUser();
  const credit = useCredit(user.cardnumber);
  const wallets = useAnswer(api.wallet.list, { cardnumber: user.cardnumber });
  const main = wallets.data?.items.find((wallet) => wallet.main) ?? null;
  const walletless = wallets.error?.code === "not_found" || (wallets.isSuccess && !main);
  const problem = walletless ? null : (credit.problem ?? (main ? null : wallets.error));
  return (
    <Section title="Votre carte pro">
      <div className={styles.owed}>
        {card && <CardHero card={card} kind="Carte pro" />}
        {cards.isError && !card && (
          <ErrorState title="La carte n’a pas pu être chargée." answer={cards} />
        )}
        {main && !credit.problem && (
          <div className={styles.balance}>
            <Text as="span" tone="soft" size="fine">
              Solde de la carte
            </Text>
            {credit.cents === null ? (
              <Skeleton width="6rem" height="1.625rem" />
            ) : (
              <Money cents={credit.cents} size="large" />
            )}
            <Link href={linkTo(paths.movements, { objectID: main.objectID })}>Opérations</Link>
          </div>
        )}
        {wallets.data?.items
          .filter(({ main: first, balanceCents }) => !first && balanceCents !== 0)
          .map((wallet) => (
            <p key={wallet.objectID} className={styles.balance}>
              <Text as="span" tone="soft" size="fine">
                {wallet.name}
              </Text>
              <Money cents={wallet.balanceCents} />
              <Link href={linkTo(paths.movements, { objectID: wallet.objectID })}>
                Opérations<span className="unseen"> de {wallet.name}</span>
              </Link>
            </p>
          ))}
        {problem && (
          <BalanceUnavailable
            problem={problem}
            retrying={credit.isFetching || wallets.isFetching}
            onRetry={() => {
              if (credit.problem) credit.refetch();
              if (wallets.isError) void wallets.refetch();
            }}
          />
        )}
        {user.subExp > 0 && user.isc === 1 && (
          <Text tone="soft" size="fine">
            Abonnement en cours jusqu’au {formatDate(new Date(user.subExp * 1000))}
          </Text>
        )}
        <div className={styles.facts}>
          {main && <TopUpLink wallet={main} icon="plus" />}
          {card && <ManageCard card={card} own />}
        </div>
      </div>
    </Section>
  );
}
