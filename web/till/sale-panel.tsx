// The panel of a sale, beside the list or over it on a phone: its amount, what may be done with it, what was bought
// and taken off, what went back, and its receipt.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime, formatTime } from "#contract/french.ts";
import { referenceOf } from "#contract/reference.ts";
import { purchaseLines, purchaseSums } from "#contract/till/purchases.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { shownStateOf, tillSaleFilterNames, type TillReturns } from "#contract/till/sales.ts";
import { tillSaleCan } from "#contract/till/states.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { SaleReceipt } from "./sale-receipt.tsx";
import { pointWordsOf, saleTones } from "./till-words.ts";
import styles from "./till.module.css";

interface SaleActs {
  mayRefund: boolean;
  onUndo: (sale: TillSale) => void;
  onRefund: (sale: TillSale) => void;
}

interface PanelPlace {
  id: string;
  isBeside: boolean;
  /** Opens the sale before or after it in the list; undefined where there is none. */
  onBefore: (() => void) | undefined;
  onAfter: (() => void) | undefined;
  onClose: () => void;
}

/** `listed` is the sale as the list shows it, read at `readAt`, until its own answer is there. */
export function SalePanel({
  id,
  listed,
  readAt,
  isBeside,
  onBefore,
  onAfter,
  onClose,
  ...acts
}: SaleActs & PanelPlace & { listed: TillSale | undefined; readAt: number }) {
  const answer = useAnswer(api.till.returns, { sale: id }, { atOnce: true });
  const { data, error } = answer;
  const sale = data?.sale ?? listed;
  const title = `Vente ${referenceOf(id)}`;
  const steps = (
    <Row gap={8} wrap={false}>
      {onBefore && <IconButton icon="up" label="Vente précédente de la liste" onClick={onBefore} />}
      {onAfter && <IconButton icon="down" label="Vente suivante de la liste" onClick={onAfter} />}
    </Row>
  );
  const content = sale ? (
    <SaleView
      key={sale.id}
      sale={sale}
      returns={data}
      now={answer.dataUpdatedAt || readAt}
      {...acts}
    />
  ) : error && [400, 404].includes(error.status) ? (
    <EmptyState icon="search" title="Cette vente n’est pas de votre caisse">
      Cherchez-la par sa référence, son montant ou la fin du numéro de la carte.
    </EmptyState>
  ) : (
    <NotLoaded
      answer={answer}
      label="Chargement de la vente…"
      lines={6}
      height="2.5rem"
      failed="La vente n’a pas pu être chargée."
    />
  );
  return isBeside ? (
    <Beside {...{ id, title, steps, onClose }}>{content}</Beside>
  ) : (
    <Dialog open onClose={onClose} title={title}>
      {steps}
      {content}
    </Dialog>
  );
}

/** Has the focus once it is there, unless something of its panel has it. */
function PanelHeading({ id, children }: { id: string; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { current } = heading;
    if (current?.closest("section")?.contains(document.activeElement)) return;
    current?.focus({ preventScroll: true });
  }, []);
  return (
    <h2 ref={heading} id={id} tabIndex={-1}>
      {children}
    </h2>
  );
}

/**
 * A part of the screen whose heading has the focus each time that it is of another sale, unless a button of its own
 * led there.
 */
function Beside({
  id,
  title,
  steps,
  onClose,
  children,
}: Pick<PanelPlace, "id" | "onClose"> & { title: string; steps: ReactNode; children: ReactNode }) {
  const name = useId();
  return (
    <section className={styles.panel} aria-labelledby={name}>
      <Stack>
        <Row spread wrap={false}>
          <PanelHeading key={id} id={name}>
            {title}
          </PanelHeading>
          <Row gap={8} wrap={false}>
            {steps}
            <IconButton icon="close" label="Fermer la vente" onClick={onClose} />
          </Row>
        </Row>
        {children}
      </Stack>
    </section>
  );
}

const wasPaid = ({ state }: TillSale): boolean => ["paid", "cancelled", "refunded"].includes(state);

/** Its articles, then from the price to what stays paid, each sum that went back with its hour and who gave it. */
function amountsOf(sale: TillSale, returns: TillReturns | undefined) {
  const sums = purchaseSums({
    ...sale,
    returns: returns?.items ?? [],
    correctedCents: returns?.correctedCents ?? 0,
  });
  const unpaid = sale.state === "requested" ? "À payer" : "Non payé";
  return [...purchaseLines(sale), ...sums].map(([label, value], index, all) => ({
    label: !wasPaid(sale) && index === all.length - 1 ? unpaid : label,
    value,
  }));
}

function SaleView({
  sale,
  returns,
  now,
  ...acts
}: SaleActs & { sale: TillSale; returns: TillReturns | undefined; now: number }) {
  const state = shownStateOf(sale);
  const isPaid = wasPaid(sale);
  const points = pointWordsOf(sale);
  return (
    <Stack gap={20}>
      <Row spread>
        <Money cents={sale.paidCents - sale.refundedCents} size="large" />
        <Badge tone={saleTones[state]}>{tillSaleFilterNames[state]}</Badge>
      </Row>
      <Acts sale={sale} now={now} {...acts} />
      {isPaid && returns === undefined ? (
        <Skeleton lines={3} height="2.75rem" />
      ) : (
        <DefinitionList items={amountsOf(sale, returns)} />
      )}
      {points !== "" && <Text tone="soft">{points}</Text>}
      <DefinitionList items={factsOf(sale)} />
      {isPaid && <SaleReceipt sale={sale} />}
    </Stack>
  );
}

function Acts({
  sale,
  now,
  mayRefund,
  onUndo,
  onRefund,
}: SaleActs & { sale: TillSale; now: number }) {
  const isRequest = sale.state === "requested";
  const canUndo =
    sale.until !== null &&
    Date.parse(sale.until) > now &&
    (tillSaleCan.withdraw(sale) || tillSaleCan.cancel(sale));
  const canRefund = tillSaleCan.refund(sale);
  const time = formatTime(sale.at);
  return (
    <Stack gap={8}>
      <Actions gap={8} wide>
        {canRefund && mayRefund && (
          <Button onClick={() => onRefund(sale)}>
            Rembourser<span className="unseen"> l’achat de {time}</span>
          </Button>
        )}
        {canUndo && (
          <Button onClick={() => onUndo(sale)}>
            {isRequest ? "Abandonner" : "Annuler"}
            <span className="unseen"> l’achat de {time}</span>
          </Button>
        )}
      </Actions>
      {canUndo && sale.until && (
        <Text tone="soft" size="fine">
          {isRequest
            ? `La personne peut répondre jusqu’à ${formatTime(sale.until)}.`
            : `Cet achat s’annule en entier jusqu’à ${formatTime(sale.until)}.`}
        </Text>
      )}
      {canRefund && !mayRefund && !canUndo && (
        <Text tone="soft" size="fine">
          Votre responsable ou votre comptable peut le rembourser.
        </Text>
      )}
    </Stack>
  );
}

const factsOf = (sale: TillSale) => [
  { label: "Date", value: formatDateTime(sale.at) },
  sale.holder === null ? null : { label: "Payé par", value: sale.holder },
  { label: "Carte", value: `…${sale.last4}` },
  sale.label === null ? null : { label: "Objet", value: sale.label },
  { label: "Encaissé par", value: sale.cashier },
  sale.offline ? { label: "Réseau", value: "Fait hors connexion" } : null,
];
