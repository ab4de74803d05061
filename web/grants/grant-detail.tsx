// One grant: a draft with its payment, or what became of its money card by card, and what is taken back.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber, formatDateTime, plural } from "#contract/french.ts";
import type { GrantedCard, GrantView } from "#contract/grants/rows.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { amount, left, returned, spent } from "./figures.tsx";
import { PayGrant } from "./pay-grant.tsx";
import { TakeBack } from "./take-back.tsx";
import { stateOf } from "./words.ts";
import styles from "./grants.module.css";

const ExpectedTransfer = lazy(async () => ({
  default: (await import("./expected-transfer.tsx")).ExpectedTransfer,
}));

// Seen by whoever comes back from the payment page.
const FollowedPayment = lazy(async () => ({
  default: (await import("#web/wallet/follow-payment.tsx")).FollowedPayment,
}));
// Seen once, after the payment.
const PaidOrder = lazy(async () => ({
  default: (await import("#web/checkout/paid-order.tsx")).PaidOrder,
}));

export function GrantDetail({ id, payment }: { id: string; payment: string | undefined }) {
  const answer = useAnswer(api.grants.read, { grant: id });
  const [{ paid }, change] = useSearchParameters<"grants">();
  const { data: grant, error } = answer;
  const waiting = <Skeleton lines={5} height="3.5rem" />;
  return (
    <Page>
      <PageHeader
        title={grant?.label ?? "Dotation"}
        lead={grant ? `Dotation n° ${grant.number}, ${plural(grant.cards, "carte")}` : "\u00a0"}
        back={{ href: paths.grants, label: "Dotations" }}
      />
      {payment && grant?.state !== "granted" ? (
        <Section>
          <Suspense fallback={waiting}>
            <FollowedPayment
              id={payment}
              settled={waiting}
              onAgain={() => change({ payment: undefined })}
              onRest={() => noteChanges(["grants"])}
            />
          </Suspense>
        </Section>
      ) : grant ? (
        <>
          {grant.state === "granted" && (payment ?? paid) !== undefined && (
            <Section>
              <Suspense fallback={<Skeleton lines={4} height="2.5rem" />}>
                <PaidOrder
                  order={id}
                  title="L’argent est sur les cartes"
                  words={["Leurs porteurs sont prévenus."]}
                  facts={[{ label: "Pour", value: plural(grant.cards, "carte") }]}
                  acts={
                    <ButtonLink kind="primary" href={paths.grants}>
                      Voir vos dotations
                    </ButtonLink>
                  }
                />
              </Suspense>
            </Section>
          )}
          <GrantContent grant={grant} onPaid={() => change({ paid: "" })} />
        </>
      ) : error?.status === 404 || error?.status === 400 ? (
        <EmptyState
          icon="search"
          title="Cette dotation n’existe pas"
          action={<ButtonLink href={paths.grants}>Voir vos dotations</ButtonLink>}
        >
          Elle a peut-être été effacée, ou c’est celle d’une autre entreprise.
        </EmptyState>
      ) : (
        <Section>
          <NotLoaded
            answer={answer}
            label="Chargement de la dotation…"
            skeleton={waiting}
            failed="La dotation n’a pas pu être chargée."
          />
        </Section>
      )}
    </Page>
  );
}

function GrantContent({ grant, onPaid }: { grant: GrantView; onPaid: () => void }) {
  const draft = grant.state === "draft";
  const granted = grant.state === "granted";
  const { tone, name } = stateOf(grant);
  const [card, setCard] = useState<GrantedCard | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const ask = (one: GrantedCard | null) => {
    setCard(one);
    setIsOpen(true);
  };
  return (
    <>
      <TakeBack grant={grant} card={card} open={isOpen} onClose={() => setIsOpen(false)} />
      <Sides
        main={
          <>
            <Section title="Cartes" action={<Badge tone={tone}>{name}</Badge>}>
              <Lines grant={grant} onTake={ask} />
            </Section>
            {grant.transfer && (
              <Suspense fallback={<Skeleton lines={4} height="3rem" />}>
                <ExpectedTransfer grant={grant} transfer={grant.transfer} />
              </Suspense>
            )}
            {draft && grant.canDecide && (
              <Section title="Payer">
                <PayGrant grant={grant} onPaid={onPaid} />
              </Section>
            )}
          </>
        }
        side={
          <Section title={granted ? "Où en est l’argent" : "À vérifier"}>
            <DefinitionList
              items={[
                {
                  label: granted ? "Accordé" : "À payer",
                  value: <Money cents={grant.totalCents} />,
                },
                granted ? { label: "Dépensé", value: <Money cents={grant.spentCents} /> } : null,
                granted ? { label: "Restant", value: <Money cents={grant.leftCents} /> } : null,
                granted
                  ? {
                      label: "Rendu à l’entreprise",
                      value: <Money cents={grant.returnedCents} />,
                    }
                  : null,
                { label: "À utiliser jusqu’au", value: <DateText at={grant.expiresOn} /> },
                { label: "Cagnotte", value: grant.groupName },
                { label: "Où", value: grant.rule },
                grant.grantedAt
                  ? { label: "Accordé le", value: <DateText at={grant.grantedAt} time /> }
                  : null,
              ]}
            />
            {draft && grant.canDecide && <Discard id={grant.id} />}
            {grant.takeBackUntil && (
              <Stack gap={20}>
                <Text tone="soft" size="small" weight="normal" numeric>
                  Une erreur&#8239;? Ce qui n’est pas dépensé se reprend jusqu’au{" "}
                  {formatDateTime(grant.takeBackUntil)}.
                </Text>
                <Button icon="incoming" onClick={() => ask(null)}>
                  Tout reprendre
                </Button>
              </Stack>
            )}
          </Section>
        }
      />
    </>
  );
}

function Discard({ id }: { id: string }) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const discard = useAction(() => call(api.grants.discard, { grant: id }), {
    // The screen has left the grant that is gone before anything is read again.
    onDone: () => navigate({ to: ".", search: {} }),
  });
  return (
    <>
      <Button kind="ghost" icon="trash" onClick={() => setIsOpen(true)}>
        Effacer
      </Button>
      <ConfirmAction
        act={discard}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={"Effacer cette dotation\u202f?"}
        confirm="Effacer"
        cancel="Garder"
        danger
      >
        Rien n’a été payé ni accordé.
      </ConfirmAction>
    </>
  );
}

function Lines({
  grant: { lines, state, takeBackUntil },
  onTake,
}: {
  grant: GrantView;
  onTake: (one: GrantedCard) => void;
}) {
  const visibleColumns = state === "granted" ? columns : pendingColumns;
  return (
    <Table
      caption="Cartes de la dotation"
      columns={
        takeBackUntil && lines.length > 1 ? [...visibleColumns, actsOf(onTake)] : visibleColumns
      }
      rows={lines}
      keyOf={({ cardnumber }) => cardnumber}
    />
  );
}

const actsOf = (onTake: (one: GrantedCard) => void): Column<GrantedCard> => ({
  key: "acts",
  label: "Actions",
  cell: (one) =>
    one.leftCents > 0 && (
      <Button size="small" kind="ghost" onClick={() => onTake(one)}>
        Reprendre<span className="unseen"> à {one.name}</span>
      </Button>
    ),
});

const bearer: Column<GrantedCard> = {
  key: "name",
  label: "Carte",
  place: "title",
  cell: ({ name, cardnumber }) => (
    <span className={styles.words}>
      <Text as="span" weight="strong">
        {name}
      </Text>
      <Text as="span" tone="soft" size="small" weight="normal" numeric>
        {formatCardnumber(cardnumber)}
      </Text>
    </span>
  ),
};

/** Before it is paid nothing is granted. */
const pendingColumns: Column<GrantedCard>[] = [bearer, amount("amountCents", "Montant")];

const columns: Column<GrantedCard>[] = [
  bearer,
  amount("amountCents", "Accordé"),
  spent,
  left,
  returned,
];
