// What a wallet holds, where it pays, and every act of it.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { type Card, cardCan } from "#contract/cards/rows.ts";
import { formatMoney, plural } from "#contract/french.ts";
import type { Automations } from "#contract/funding/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { ActionLink, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { Lots } from "./lots.tsx";
import { OtherWallets } from "./other-wallets.tsx";
import { Prospect } from "./prospect.tsx";
import { TopUpLink } from "./top-up-link.tsx";
import styles from "./wallets.module.css";

export function WalletPanel({ wallet, card }: { wallet: Wallet; card: Card | null }) {
  const user = useUser();
  return (
    <Section>
      <Stack gap={4}>
        <Row>
          <h2 className={styles.label}>Solde</h2>
          {wallet.frozen && (
            <Badge tone="danger" icon="lock">
              Bloquée
            </Badge>
          )}
        </Row>
        <p className={styles.balance}>
          <Money cents={wallet.balanceCents} size="hero" />
        </p>
        <Prospect wallet={wallet} />
      </Stack>
      {wallet.frozen && (
        <Banner tone="danger" title="Paiements bloqués">
          Une recharge est contestée auprès de la banque. La cagnotte ne paie et ne se recharge pas
          le temps du litige.
        </Banner>
      )}
      <div className={styles.acts}>
        <TopUpLink wallet={wallet} kind="primary" icon="plus" />
        {user.type === 1 && <SendLink wallet={wallet} card={card} />}
      </div>
      <div className={styles.more}>
        <AutomationsLink wallet={wallet} />
        <Detail wallet={wallet} />
        {user.type === 2 && <OtherWallets current={wallet.objectID} />}
      </div>
    </Section>
  );
}

/** A transfer leaves from the main wallet of a card that can pay, to another card of the family. */
function SendLink({ wallet, card }: { wallet: Wallet; card: Card | null }) {
  const cards = useAnswer(api.cards.list, {});
  const hasFamily = (cards.data?.items.length ?? 0) > 1;
  if (!wallet.main || wallet.frozen || !hasFamily || !card || !cardCan.spend(card)) return null;
  return (
    <ButtonLink icon="send" href={linkTo(paths.transfer, {}, { sender: wallet.cardnumber })}>
      Envoyer
    </ButtonLink>
  );
}

/** What watches over the wallet and fills it, with what is set now. */
function AutomationsLink({ wallet }: { wallet: Wallet }) {
  const { data, error } = useAnswer(api.funding.automations, { objectID: wallet.objectID });
  return (
    <ActionLink
      href={linkTo(paths.automations, wallet)}
      icon="bell"
      title="Alertes et recharge automatique"
    >
      {data ? automationsInWords(data) : error ? "Solde bas, recharges programmées" : "\u00a0"}
    </ActionLink>
  );
}

function automationsInWords({ alert, rules }: Automations): string {
  const active = rules.filter(({ state }) => state === "active").length;
  const parts = [
    alert && `alerte sous ${formatMoney(alert.thresholdCents)}`,
    active > 0 && plural(active, "recharge active", "recharges actives"),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "rien de programmé";
}

/** In what order its money goes and where it pays. Open where there is room, and where money must be spent by a day. */
function Detail({ wallet }: { wallet: Wallet }) {
  const expires = wallet.lots.some((lot) => lot.balanceCents > 0 && lot.expiresOn !== null);
  const [isOpen, setIsOpen] = useState(expires || matchMedia("(width >= 64em)").matches);
  return (
    <div className={styles.detail}>
      <Disclosure
        heading="h3"
        summary={
          <Text as="span" weight="strong">
            Détail de la cagnotte
          </Text>
        }
        isOpen={isOpen}
        onOpen={setIsOpen}
      >
        <Stack gap={12}>
          <Lots wallet={wallet} />
          <p className={styles.rule}>
            <Icon name="info" size={20} />
            {wallet.rule}
          </p>
        </Stack>
      </Disclosure>
    </div>
  );
}
