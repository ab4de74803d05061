// A person among the wallets: their name and the sum of what they have, unfolded to a line a wallet.
import { useId } from "react";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { LinkRow } from "#web/ui/link-row.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { isEmptySoon } from "./empty-soon.ts";
import { EmptyOn, Prospect } from "./prospect.tsx";
import type { CardWallets } from "./reachable-wallets.ts";
import styles from "./wallets.module.css";

export function CardRow({
  owned,
  avatar,
  isOpen,
  onOpen,
  retrying,
  onRetry,
}: {
  owned: CardWallets;
  /** The address of the person's picture, null without one. */
  avatar: string | null;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  retrying: boolean;
  onRetry: () => void;
}) {
  const { card, wallets, problem } = owned;
  const user = useUser();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Disclosure
        isOpen={isOpen}
        onOpen={onOpen}
        summary={
          <span className={styles.row}>
            <PersonAvatar name={card?.name ?? user.name} avatar={avatar} />
            <span className={styles.words}>
              <span id={id} className={styles.name}>
                {card?.relation === "child" ? card.name : "Ma carte"}
              </span>
              <Signs owned={owned} />
            </span>
            {wallets && wallets.length > 0 && (
              <Money
                cents={wallets.reduce((sum, { balanceCents }) => sum + balanceCents, 0)}
                size="large"
              />
            )}
          </span>
        }
      >
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
          <div className={styles.wallets}>
            <DividedList>
              {wallets.map((wallet) => (
                <li key={wallet.objectID}>
                  <WalletLine wallet={wallet} />
                </li>
              ))}
            </DividedList>
          </div>
        )}
      </Disclosure>
    </section>
  );
}

/** What is wrong with the person's wallets, folded or not; nothing when all is well. */
function Signs({ owned: { wallets, problem } }: { owned: CardWallets }) {
  if (problem) return <Badge tone="warning">Solde non chargé</Badge>;
  const frozen = wallets?.filter((wallet) => wallet.frozen).length ?? 0;
  const [first] = (wallets ?? [])
    .flatMap(({ emptyOn }) => (isEmptySoon(emptyOn) ? [emptyOn] : []))
    .toSorted();
  return (
    <>
      {frozen > 0 && (
        <Badge tone="danger" icon="lock">
          {frozen === 1 ? "Cagnotte bloquée" : `${frozen} cagnottes bloquées`}
        </Badge>
      )}
      {first && (
        <Badge tone="warning">
          <EmptyOn day={first} />
        </Badge>
      )}
    </>
  );
}

/** The whole line leads to the wallet, where all its acts are. */
function WalletLine({ wallet }: { wallet: Wallet }) {
  const { name, balanceCents, frozen, main } = wallet;
  return (
    <LinkRow
      href={linkTo(paths.movements, wallet)}
      picture={
        <IconTile icon={main ? "wallet" : "meal"} tone={main && !frozen ? "info" : "neutral"} />
      }
    >
      <span className={styles.words}>
        <Text as="span" weight="strong" breakWord>
          {name}
        </Text>
      </span>
      {frozen && (
        <Badge tone="danger" icon="lock">
          Bloquée
        </Badge>
      )}
      <span>
        <span className="unseen">Solde </span>
        <Money cents={balanceCents} />
      </span>
      <Prospect wallet={wallet} />
    </LinkRow>
  );
}
