// One order on its way: its states, its parcel, its cards, and what can still be done with it.
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { CardDispatch } from "#contract/card-orders/dispatch.ts";
import { cardInkNames } from "#contract/card-orders/limits.ts";
import { cardOrderStateNames } from "#contract/card-orders/states.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { texts } from "#contract/texts.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { orderPath } from "./navigation.ts";
import { OrderedCards } from "./ordered-cards.tsx";
import { PriceLines } from "./price-lines.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { tones } from "./words.ts";
import styles from "./card-orders.module.css";

// Seen once, after the payment.
const PaidOrder = lazy(async () => ({
  default: (await import("#web/checkout/paid-order.tsx")).PaidOrder,
}));

/** `isPaid`: it was paid just now, which is the first thing to say. */
export function Dispatch({ id, isPaid }: { id: string; isPaid: boolean }) {
  // An order changes at the printer's pace: an open screen looks again now and then.
  const answer = useAnswer(api.cardOrders.dispatch, { id }, { pollMs: 60_000 });
  const { error } = answer;
  // The specification's words for a failed dispatch (spec §8); the screen says more.
  useEffect(() => {
    if (error) notify({ text: texts.dispatchFailed, kind: "error" });
  }, [error]);
  const order = answer.data?.data;
  return (
    <Page>
      <PageHeader
        title={order ? `Commande n° ${order.number}` : "Commande de cartes"}
        lead={order ? plural(order.quantity, "carte pro", "cartes pro") : "\u00a0"}
        back={{ href: paths.cardOrders, label: "Vos commandes" }}
      />
      {isPaid && order && (
        <Section>
          <Suspense fallback={<Skeleton lines={4} height="2.5rem" />}>
            <PaidOrder
              order={id}
              title="Votre commande est payée"
              words={["Nous vous prévenons à chaque étape, jusqu’à la livraison."]}
              acts={
                <ButtonLink kind="primary" href={orderPath(id)}>
                  Suivre la commande
                </ButtonLink>
              }
            />
          </Suspense>
        </Section>
      )}
      {order ? (
        <Followed order={order} />
      ) : error?.status === 404 || error?.status === 400 ? (
        <EmptyState
          icon="search"
          title="Cette commande n’existe pas"
          action={<ButtonLink href={paths.cardOrders}>Voir vos commandes</ButtonLink>}
        >
          Elle est peut-être celle d’une autre entreprise.
        </EmptyState>
      ) : (
        <Section>
          <NotLoaded
            answer={answer}
            label="Chargement de la commande…"
            lines={6}
            height="3rem"
            failed="La commande n’a pas pu être chargée."
          />
        </Section>
      )}
    </Page>
  );
}

function Followed({ order }: { order: CardDispatch }) {
  const { design, delivery, price, invoice, state } = order;
  return (
    <Sides
      main={
        <>
          <Section
            title="Suivi"
            action={<Badge tone={tones[state]}>{cardOrderStateNames[state]}</Badge>}
          >
            <OrderTimeline order={order} />
            <Actions order={order} />
          </Section>
          {order.cards.length > 0 && (
            <Section title="Cartes">
              <OrderedCards cards={order.cards} />
            </Section>
          )}
        </>
      }
      side={
        <>
          <Section title="Prix">
            <PriceLines price={price} />
            <DefinitionList
              items={[
                {
                  label: "Règlement",
                  value: order.paidBy === "invoice" ? "Sur facture" : "Payée à la commande",
                },
                invoice && {
                  label: "Facture",
                  value: (
                    <Link href={linkTo(paths.invoices, {}, { invoice: invoice.id })}>
                      {invoice.number}
                    </Link>
                  ),
                },
              ]}
            />
          </Section>
          <Section title="Modèle et livraison">
            <DefinitionList
              items={[
                { label: "Texte imprimé", value: design.label },
                { label: "Couleur", value: cardInkNames[design.ink] },
                { label: "Noms imprimés", value: design.printsNames ? "Oui" : "Non" },
                { label: "À l’attention de", value: delivery.recipient },
                {
                  label: "Adresse",
                  value: `${delivery.street}, ${delivery.postcode} ${delivery.town}`,
                },
                { label: "Commandée par", value: order.orderedBy },
              ]}
            />
          </Section>
        </>
      }
    />
  );
}

/** What a cancellation gives back of an invoice that was paid since. */
function backOf({ paidSince: { walletCents, transferCents } }: CardDispatch): string[] {
  return [
    ...(walletCents > 0
      ? [`${formatMoney(walletCents)} reviennent là d’où l’argent est parti.`]
      : []),
    ...(transferCents > 0 ? [`${formatMoney(transferCents)} vous seront virés.`] : []),
  ];
}

function Actions({ order }: { order: CardDispatch }) {
  const [asking, setAsking] = useState(false);
  const { id, canCancel, canReceive, paidBy } = order;
  const onDone = (answer: { data: CardDispatch }) =>
    queryClient.setQueryData(keyOf(api.cardOrders.dispatch, { id }), answer);
  const cancel = useAction(() => call(api.cardOrders.cancel, { order: id }), {
    says: ({ data }) => ["La commande est annulée.", ...backOf(data)].join(" "),
    onDone,
  });
  const receive = useAction(() => call(api.cardOrders.receive, { order: id }), {
    says: "Les cartes sont arrivées.",
    onDone,
  });
  return (
    <>
      <ProblemBanner problem={receive.problem} title="Rien n’est changé." />
      {order.state === "delivered" && (
        <Banner tone="info" title="Chaque carte s’active à la première connexion.">
          Remettez à chacun sa carte et sa lettre. La personne saisit son numéro et le secret de la
          lettre, choisit son mot de passe, et sa carte est active.
        </Banner>
      )}
      <div className={styles.acts}>
        {canReceive && (
          <Button kind="primary" loading={receive.isPending} onClick={() => receive.send()}>
            J’ai reçu les cartes
          </Button>
        )}
        {canCancel && (
          <Button kind="ghost" onClick={() => setAsking(true)}>
            Annuler la commande
          </Button>
        )}
      </div>
      <ConfirmAction
        act={cancel}
        open={asking}
        onClose={() => setAsking(false)}
        failed="Rien n’est changé."
        title={"Annuler cette commande\u202f?"}
        confirm="Annuler la commande"
        cancel="La garder"
        danger
      >
        {paidBy === "invoice"
          ? ["Aucune carte n’est fabriquée, et un avoir annule la facture.", ...backOf(order)].join(
              " ",
            )
          : "Aucune carte n’est fabriquée, et vous êtes remboursé là d’où l’argent est parti."}
      </ConfirmAction>
    </>
  );
}
