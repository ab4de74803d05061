// « Cagnottes »: the family's money in one sum, then a row a person that unfolds to their wallets (spec §2
// services_cagnotte_public, spec.md 12).
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { keepDraft, readDraft } from "#web/ui/draft.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CardRow } from "./card-row.tsx";
import { type CardWallets, useReachableWallets } from "./reachable-wallets.ts";
import { TopUpLink } from "./top-up-link.tsx";
import styles from "./wallets.module.css";

export function WalletsPage() {
  const { cards, pending, fetching, problem, retry } = useReachableWallets();
  const avatarOf = useAvatars();
  const [unfolded, unfold] = useUnfolded();
  return (
    <Page>
      <PageHeader
        title="Cagnottes"
        actions={
          <>
            <ButtonLink size="small" icon="chart" href={paths.spending}>
              Dépenses
            </ButtonLink>
            <ButtonLink size="small" icon="gift" href={paths.points}>
              Mes points
            </ButtonLink>
          </>
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
          <Total cards={cards} isPartial={problem !== null} />
          <div className={styles.cards}>
            <DividedList>
              {cards.map((owned, index) => (
                <li key={owned.cardnumber}>
                  <CardRow
                    owned={owned}
                    avatar={avatarOf(owned.cardnumber)}
                    // What failed is said where it can be asked for again.
                    isOpen={unfolded[owned.cardnumber] ?? (index === 0 || owned.problem !== null)}
                    onOpen={(isOpen) => unfold(owned.cardnumber, isOpen)}
                    retrying={fetching}
                    onRetry={retry}
                  />
                </li>
              ))}
            </DividedList>
          </div>
        </>
      )}
    </Page>
  );
}

/** The sum of all wallets, what is booked on it, and the recharge of the current card. */
function Total({ cards, isPartial }: { cards: readonly CardWallets[]; isPartial: boolean }) {
  const wallets = cards.flatMap((one) => one.wallets ?? []);
  if (wallets.length === 0) return null;
  const sum = (of: (wallet: Wallet) => number) => wallets.reduce((all, one) => all + of(one), 0);
  const heldCents = sum((one) => one.heldCents);
  const main = cards[0]?.wallets?.find((wallet) => wallet.main);
  return (
    <Section>
      <Stack gap={4}>
        <h2 className={styles.label}>
          {cards.length > 1 ? "Total de la famille" : "Total de la carte"}
        </h2>
        <Row spread>
          <p className={styles.balance}>
            <Money cents={sum((one) => one.balanceCents)} size="hero" />
          </p>
          {main && (
            <TopUpLink
              wallet={main}
              kind="primary"
              icon="plus"
              aria-label={`Recharger\u00a0: ${main.name}`}
            />
          )}
        </Row>
        {heldCents > 0 && (
          <p className={styles.prospect}>
            <span>
              dont <strong>{formatMoney(heldCents)}</strong> réservés
            </span>
            <span>
              après vos réservations{" "}
              <strong>{formatMoney(sum((one) => one.projectedCents))}</strong>
            </span>
          </p>
        )}
        {(isPartial || cards.some((one) => one.problem)) && (
          <Text tone="soft" size="fine">
            sans les cagnottes qui n’ont pas pu être chargées
          </Text>
        )}
      </Stack>
    </Section>
  );
}

/** The pictures of the family by card; initials stand where one has none or while it is on its way. */
function useAvatars() {
  const user = useUser();
  const family = useAnswer(api.family.list, {});
  return (cardnumber: number): string | null =>
    family.data?.members.find((member) => member.cardnumber === cardnumber)?.avatar ??
    (cardnumber === (user.previousCardnumber || user.cardnumber) ? user.avatar : null);
}

type Unfolded = Readonly<Record<string, boolean>>;
const draft = { name: "wallets", fields: ["unfolded"] } as const;

/** Which rows were unfolded or folded by hand: so they are again when one comes back from a wallet. */
function useUnfolded() {
  const [unfolded, setUnfolded] = useState(
    () => readDraft<{ unfolded: Unfolded }>(draft, { unfolded: {} }).unfolded,
  );
  const unfold = (cardnumber: number, isOpen: boolean) => {
    const next = { ...unfolded, [cardnumber]: isOpen };
    setUnfolded(next);
    keepDraft<{ unfolded: Unfolded }>(draft, { unfolded: next });
  };
  return [unfolded, unfold] as const;
}

const Waiting = () => (
  <Loading label="Chargement des cagnottes…">
    <Stack gap={24}>
      <Section>
        <Skeleton height="1.4rem" width="9rem" />
        <Skeleton height="var(--money-hero)" width="10rem" />
      </Section>
      <Section>
        <Skeleton lines={2} height="4rem" />
      </Section>
    </Stack>
  </Loading>
);
