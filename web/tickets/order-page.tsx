// The order of a cart: the payment followed until it is sure, then the tickets.
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { plural, thin } from "#contract/french.ts";
import { wireSearch } from "#contract/link-to.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { FollowedPayment } from "#web/wallet/follow-payment.tsx";
import { PaidOrder } from "#web/checkout/paid-order.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { ticketPath } from "./use-cart.ts";
import { Tickets } from "./ticket-list.tsx";

const steps = ["Places", "Paiement", "Billets"] as const;

export function OrderPage({ order, payment }: { order: string; payment: string | null }) {
  const navigate = useNavigate();
  const answer = useAnswer(api.tickets.order, { order });
  const paid = answer.data?.order.state === "paid";
  return (
    <Page narrow>
      <PageHeader
        title={paid ? "Vos billets" : "Votre commande"}
        back={{ href: ticketPath(), label: "E-billets" }}
      />
      <Section>
        <Stepper label="Étapes de l’achat" steps={steps} current={paid ? 2 : 1} />
        {payment && !paid ? (
          <FollowedPayment
            id={payment}
            settled={<Done order={order} />}
            onAgain={() => void navigate({ to: ".", search: wireSearch<"tickets">({ cart: "" }) })}
            onRest={() => noteChanges(["tickets", "wallets"])}
          />
        ) : (
          <Done order={order} />
        )}
      </Section>
    </Page>
  );
}

function Done({ order }: { order: string }) {
  const answer = useAnswer(api.tickets.order, { order });
  if (!answer.data && answer.error?.code !== "not_found") {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement de vos billets…"
        skeleton={
          <>
            <Skeleton height="6rem" width="6rem" round />
            <Skeleton lines={2} height="6rem" />
          </>
        }
      />
    );
  }
  if (!answer.data || answer.data.order.state !== "paid") {
    return (
      <EmptyState
        icon="search"
        title="Cette commande n’est pas payée"
        action={<ButtonLink href={ticketPath({ cart: "" })}>Voir le panier</ButtonLink>}
      >
        Ce qui est dans votre panier y est encore, le temps qu’il reste.
      </EmptyState>
    );
  }
  const { tickets } = answer.data;
  return (
    <PaidOrder
      order={order}
      title={`C’est payé${thin}: ${plural(tickets.length, "billet")}`}
      words={[
        "Présentez le code à l’entrée. Vos billets restent lisibles sans réseau sur cet appareil.",
      ]}
      facts={[
        {
          label: "Pour",
          value: [...new Set(tickets.map(({ holder }) => holder))].join(", "),
        },
      ]}
      acts={
        <ButtonLink kind="primary" href={ticketPath({ tab: "billets" })}>
          Voir tous mes billets
        </ButtonLink>
      }
    >
      <Tickets items={tickets} />
    </PaidOrder>
  );
}
