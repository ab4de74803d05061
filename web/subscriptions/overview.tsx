// What runs on a card until when, the file that waits, and those of before.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, plural } from "#contract/french.ts";
import { subscriptionStateNames, type SubscriptionState } from "#contract/subscription-states.ts";
import type { HeldSubscription } from "#contract/subscriptions.ts";
import { readAgain, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { useGo } from "./place.ts";
import { ReceiptButton } from "./receipt-button.tsx";
import { afterChange } from "./use-file.ts";

type Seen = Output<typeof api.subscriptions.list>;

export function Overview({ cardnumber, seen }: { cardnumber: number; seen: Seen }) {
  const go = useGo();
  const { open, items, endsOn, renewFrom } = seen;
  const running = items.filter(({ state }) => state === "active");
  const past = items.filter(({ state }) => state !== "active" && state !== "review");
  useTrueUser(seen);
  const begin = () => go({ carte: String(cardnumber), etape: "formule" });
  return (
    <div className="subscription">
      <Holders cardnumber={cardnumber} />
      {open && <Waiting open={open} />}
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
              <div className="subscription-acts">
                <Button kind="primary" icon="refresh" onClick={begin}>
                  Prolonger l’abonnement
                </Button>
              </div>
            </>
          )}
        </Section>
      )}
      {past.length > 0 && <Past items={past} />}
    </div>
  );
}

/** One's own card and the children's, to choose whose subscription is looked at. */
function Holders({ cardnumber }: { cardnumber: number }) {
  const go = useGo();
  const user = useUser();
  const cards = useAnswer(api.cards.list, {});
  const mine = (cards.data?.items ?? []).filter(
    ({ relation }) => relation === "self" || relation === "child",
  );
  if (mine.length < 2) return null;
  return (
    <Chips
      label="Carte"
      value={[String(cardnumber)]}
      options={mine.map((one) => ({
        value: String(one.cardnumber),
        label: one.relation === "self" ? "Ma carte" : one.name,
      }))}
      onValue={(value) => go({ carte: Number(value) === user.cardnumber ? undefined : value })}
    />
  );
}

/** The dates that the session keeps follow what the server says of one's own card. */
function useTrueUser({ holder, endsOn }: Seen) {
  const user = useUser();
  const known = user.subExp === 0 ? null : formatDate(new Date(user.subExp * 1000));
  const stale = holder.own && endsOn !== null && known !== formatDate(endsOn);
  useEffect(() => {
    if (stale) void afterChange().catch(() => {});
  }, [stale]);
}

function Waiting({ open }: { open: NonNullable<Seen["open"]> }) {
  const go = useGo();
  const [asking, setAsking] = useState(false);
  const resume = () => go({ dossier: open.id });
  const abandon = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.subscriptions.abandon, { id: open.id }),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
    onSettled: () => {
      setAsking(false);
      return readAgain(api.subscriptions.list);
    },
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
        Il est payé. Il commencera dès que nous aurons vérifié vos documents, sous deux jours
        ouvrés.
      </Banner>
    );
  }
  return (
    <Section title="Votre dossier vous attend">
      <p>
        Formule {open.formula}, repris là où vous l’avez laissé le <DateText at={open.changedAt} />.
      </p>
      {abandon.error && (
        <Banner tone="danger" alert title="Le dossier n’a pas été abandonné.">
          {abandon.error.message}
        </Banner>
      )}
      <div className="subscription-acts">
        <Button kind="primary" iconEnd="forward" onClick={resume}>
          Reprendre le dossier
        </Button>
        <Button onClick={() => setAsking(true)}>Abandonner</Button>
      </div>
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={"Abandonner ce dossier\u202f?"}
        confirm="Abandonner le dossier"
        cancel="Garder"
        danger
        loading={abandon.isPending}
        onConfirm={() => abandon.mutate()}
      >
        Rien n’a été payé. Les documents ajoutés seront supprimés.
      </AlertDialog>
    </Section>
  );
}

function Running({ one }: { one: HeldSubscription }) {
  const total = daysBetween(one.startsOn, one.endsOn) + 1;
  const left = Math.max(0, daysBetween(today(), one.endsOn));
  const others = one.covers.slice(1);
  return (
    <Section>
      <div className="subscription-head">
        <div>
          <p className="subscription-kicker">{one.upcoming ? "Prendra la suite" : "Formule"}</p>
          <h2 className="subscription-name">{one.formula}</h2>
        </div>
        <StateBadge state={one.state} upcoming={one.upcoming} />
      </div>
      {!one.upcoming && (
        <div className="subscription-time">
          <progress
            className="subscription-bar"
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
          one.own
            ? { label: "Payé", value: <Money cents={one.paidCents} /> }
            : { label: "Souscrit par", value: one.covers[0] ?? "" },
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
      {one.own && (
        <div className="subscription-acts">
          <ReceiptButton id={one.id} />
          {one.cancelUntil && <CancelButton id={one.id} paidCents={one.paidCents} />}
        </div>
      )}
    </Section>
  );
}

function Past({ items }: { items: readonly HeldSubscription[] }) {
  return (
    <Section title="Avant">
      <ul className="subscription-past">
        {items.map((one) => (
          <li key={one.id} className="subscription-one">
            <div className="subscription-one-words">
              <p className="subscription-one-name">{one.formula}</p>
              <p className="subscription-soft">
                {one.state === "expired" ? (
                  <>
                    du <DateText at={one.startsOn} /> au <DateText at={one.endsOn} />
                  </>
                ) : (
                  <>
                    {one.reason} <Money cents={one.paidCents} /> remboursés
                  </>
                )}
              </p>
            </div>
            <StateBadge state={one.state} upcoming={false} />
            {one.own && <ReceiptButton id={one.id} small of={one.formula} />}
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

const today = (): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" }).format(new Date());

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
