// Subscriptions of a card: running, open application, past ones.
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { daysBetween, todayInParis } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, plural } from "#contract/french.ts";
import { subscriptionStateNames, type SubscriptionState } from "#contract/subscriptions/states.ts";
import type { HeldSubscription } from "#contract/subscriptions/rows.ts";
import { call } from "#web/app/transport/api.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { useGo } from "./navigation.ts";
import { ReceiptButton } from "./receipt-button.tsx";
import { refreshAfterChange } from "./use-application.ts";
import styles from "./subscriptions.module.css";

type CardSubscriptions = Output<typeof api.subscriptions.list>;

export function Overview({
  cardnumber,
  subscriptions,
}: {
  cardnumber: number;
  subscriptions: CardSubscriptions;
}) {
  const go = useGo();
  const { open, items, endsOn, renewFrom } = subscriptions;
  const running = items.filter(({ state }) => state === "active");
  const past = items.filter(({ state }) => state !== "active" && state !== "review");
  useFreshUser(subscriptions);
  const begin = () => go({ card: cardnumber, step: "formule" });
  return (
    <Stack gap={20}>
      <Holders cardnumber={cardnumber} />
      {open && <OpenApplication open={open} />}
      {running.length === 0 && !open && (
        <Section>
          <EmptyState
            icon="calendar"
            title="Aucun abonnement sur cette carte"
            action={
              <Button kind="primary" icon="plus" onClick={begin}>
                Choisir une formule
              </Button>
            }
          >
            Il ouvre les services du réseau pour un an&#8239;: paiement chez les partenaires,
            réservations et billets.
          </EmptyState>
        </Section>
      )}
      {running
        .toSorted((a, b) => a.startsOn.localeCompare(b.startsOn))
        .map((one) => (
          <Running key={one.id} one={one} />
        ))}
      {running.length > 0 && !open && (
        <Section title="Prolonger">
          {renewFrom ? (
            <p>
              L’abonnement court jusqu’au {formatDate(endsOn ?? renewFrom)}. Vous pourrez le
              prolonger à partir du {formatDate(renewFrom)}.
            </p>
          ) : (
            <>
              <p>
                Le suivant prendra la suite le jour d’après&#8239;: les jours qui restent sont
                gardés.
              </p>
              <Actions wide>
                <Button kind="primary" icon="refresh" onClick={begin}>
                  Prolonger l’abonnement
                </Button>
              </Actions>
            </>
          )}
        </Section>
      )}
      {past.length > 0 && <Past items={past} />}
    </Stack>
  );
}

/** One's own card and the children's, to choose whose subscription is looked at. */
function Holders({ cardnumber }: { cardnumber: number }) {
  const go = useGo();
  const user = useUser();
  const mine = useOwnCards({ without: [] }).cards ?? [];
  if (mine.length < 2) return null;
  return (
    <Chips
      label="Carte"
      value={[String(cardnumber)]}
      options={mine.map((one) => ({
        value: String(one.cardnumber),
        label: one.relation === "self" ? "Ma carte" : one.name,
      }))}
      onValue={(value) => go({ card: Number(value) === user.cardnumber ? undefined : value })}
    />
  );
}

/** The dates that the session keeps follow what the server says of one's own card. */
function useFreshUser({ holder, endsOn }: CardSubscriptions) {
  const user = useUser();
  const known = user.subExp === 0 ? null : formatDate(new Date(user.subExp * 1000));
  const stale = holder.own && endsOn !== null && known !== formatDate(endsOn);
  useEffect(() => {
    if (stale) void refreshAfterChange().catch(() => {});
  }, [stale]);
}

function OpenApplication({ open }: { open: NonNullable<CardSubscriptions["open"]> }) {
  const go = useGo();
  const [asking, setAsking] = useState(false);
  const resume = () => go({ application: open.id });
  const abandon = useAction(() => call(api.subscriptions.abandon, { id: open.id }), {
    says: ({ message }) => message,
  });
  if (open.state === "review") {
    return (
      <Banner
        title={`Abonnement ${open.formula}\u202f: justificatifs en vérification`}
        actions={
          <Button size="small" onClick={resume}>
            Voir le dossier
          </Button>
        }
      >
        Il est payé&#8239;: nous vérifions vos documents.{" "}
        {open.paidAt && <AnswerDelay what="subscription" requestedAt={open.paidAt} />}
      </Banner>
    );
  }
  return (
    <Section title="Votre dossier vous attend">
      <p>
        Formule {open.formula}, repris là où vous l’avez laissé le <DateText at={open.changedAt} />.
      </p>
      <Actions wide>
        <Button kind="primary" iconEnd="forward" onClick={resume}>
          Reprendre le dossier
        </Button>
        <Button onClick={() => setAsking(true)}>Abandonner</Button>
      </Actions>
      <ConfirmAction
        act={abandon}
        open={asking}
        onClose={() => setAsking(false)}
        failed="Le dossier n’a pas été abandonné."
        title={"Abandonner ce dossier\u202f?"}
        confirm="Abandonner le dossier"
        cancel="Garder"
        danger
      >
        Rien n’a été payé. Les documents ajoutés seront supprimés.
      </ConfirmAction>
    </Section>
  );
}

function Running({ one }: { one: HeldSubscription }) {
  const total = daysBetween(one.startsOn, one.endsOn) + 1;
  const left = Math.max(0, daysBetween(todayInParis(), one.endsOn));
  const others = one.covers.slice(1);
  return (
    <Section>
      <div className={styles.subscriptionHead}>
        <div>
          <p className={styles.subscriptionKicker}>
            {one.upcoming ? "Prendra la suite" : "Formule"}
          </p>
          <h2 className={styles.subscriptionName}>{one.formula}</h2>
        </div>
        <StateBadge state={one.state} upcoming={one.upcoming} />
      </div>
      {!one.upcoming && (
        <div className={styles.subscriptionTime}>
          <progress
            className={styles.subscriptionBar}
            aria-label="Part de l’abonnement déjà écoulée"
            max={total}
            value={total - left}
          />
          <p>{left === 0 ? "Dernier jour aujourd’hui" : `Encore ${plural(left, "jour")}`}</p>
        </div>
      )}
      <DefinitionList
        items={[
          {
            label: "Période",
            value: (
              <>
                du <DateText at={one.startsOn} /> au <DateText at={one.endsOn} />
              </>
            ),
          },
          others.length > 0 ? { label: "Couvre aussi", value: others.join(", ") } : null,
          one.options.length > 0 ? { label: "Options", value: one.options.join(", ") } : null,
          one.payer ? { label: "Payé", value: <Money cents={one.paidCents} /> } : null,
          one.own ? null : { label: "Souscrit par", value: one.covers[0] ?? "" },
          one.cancelUntil
            ? {
                label: "Annulable, remboursé en entier",
                value: (
                  <>
                    jusqu’au <DateText at={one.cancelUntil} />
                  </>
                ),
              }
            : null,
        ]}
      />
      {one.payer && (
        <Actions wide>
          <ReceiptButton id={one.id} />
          {one.cancelUntil && (
            <CancelButton
              id={one.id}
              paidCents={one.paidCents}
              begun={one.state === "active" && !one.upcoming}
            />
          )}
        </Actions>
      )}
    </Section>
  );
}

function Past({ items }: { items: readonly HeldSubscription[] }) {
  return (
    <Section title="Avant">
      <ul className={styles.subscriptionPast}>
        {items.map((one) => (
          <li key={one.id} className={styles.subscriptionOne}>
            <div className={styles.subscriptionOneWords}>
              <Text weight="strong">{one.formula}</Text>
              <Text tone="soft" size="fine">
                {one.state === "expired" ? (
                  <>
                    du <DateText at={one.startsOn} /> au <DateText at={one.endsOn} />
                  </>
                ) : (
                  <>
                    {one.reason}{" "}
                    {one.paidCents > 0 && (
                      <>
                        <Money cents={one.paidCents} />{" "}
                        {one.paidCents < 200 ? "remboursé" : "remboursés"}
                      </>
                    )}
                  </>
                )}
              </Text>
            </div>
            <StateBadge state={one.state} upcoming={false} />
            {one.payer && <ReceiptButton id={one.id} small of={one.formula} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const tones: Readonly<Record<SubscriptionState, Tone | "neutral">> = {
  draft: "neutral",
  review: "info",
  active: "success",
  expired: "neutral",
  refused: "danger",
  cancelled: "neutral",
  abandoned: "neutral",
};

function StateBadge({ state, upcoming }: { state: SubscriptionState; upcoming: boolean }) {
  if (upcoming) return <Badge tone="info">À venir</Badge>;
  return <Badge tone={tones[state]}>{subscriptionStateNames[state]}</Badge>;
}
