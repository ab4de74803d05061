// The cart: what is held and until when, who pays, and what to do when its time is over.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import type { Cart, CartLine } from "#contract/ticket-cart.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { type CartAnswer, keepCart, ticketPath, useCart } from "./cards.ts";
import { PayCart, type Purse, usePurses } from "./pay-cart.tsx";
import { Quantity, usePutLine } from "./prices.tsx";
import { whenOf } from "./words.ts";

const steps = ["Places", "Paiement", "Billets"] as const;

export function CartPage() {
  const answer = useCart();
  const cart = answer.data?.cart ?? null;
  const purses = usePurses();
  const pending = answer.isPending || (cart?.state === "cart" && purses === null);
  return (
    <Page narrow>
      <PageHeader title="Votre panier" back={{ href: ticketPath(), label: "E-billets" }} />
      {pending && (
        <Section>
          <Loading label="Chargement du panier…">
            <Skeleton lines={4} height="4rem" />
          </Loading>
        </Section>
      )}
      {answer.isError && !answer.data && (
        <Section>
          <ErrorState
            title="Votre panier n’a pas pu être chargé."
            message={answer.error.message}
            retrying={answer.isFetching}
            onRetry={() => void answer.refetch()}
          />
        </Section>
      )}
      {answer.data && !cart && <NoCart />}
      {cart?.state === "expired" && <Ended cart={cart} />}
      {cart?.state === "cart" && answer.data && purses && (
        <Open
          cart={cart}
          purses={purses}
          skewMs={answer.data.skewMs}
          onEnd={() => void answer.refetch()}
        />
      )}
    </Page>
  );
}

const NoCart = () => (
  <Section>
    <EmptyState
      icon="ticket"
      title="Votre panier est vide"
      action={
        <ButtonLink kind="primary" href={ticketPath()}>
          Voir ce qui est à l’affiche
        </ButtonLink>
      }
    >
      Les places que vous prenez sont gardées 25 minutes ici, sur tous vos appareils.
    </EmptyState>
  </Section>
);

function Open({
  cart,
  purses,
  skewMs,
  onEnd,
}: {
  cart: Cart;
  purses: readonly Purse[];
  skewMs: number;
  onEnd: () => void;
}) {
  const put = usePutLine();
  const atBank = cart.payment?.state === "authorized";
  return (
    <Section>
      <Stepper label="Étapes de l’achat" steps={steps} current={1} />
      <p className="cart-time">
        Vos places sont gardées encore{" "}
        <strong>
          <Countdown until={cart.expiresAt} skewMs={skewMs} onEnd={onEnd} />
        </strong>
      </p>
      <ul className="cart-lines">
        {cart.lines.map((line) => (
          <Line key={keyOf(line)} line={line} put={put} locked={atBank} />
        ))}
      </ul>
      {put.error && (
        <Banner tone="danger" alert>
          {put.error.message}
        </Banner>
      )}
      <p className="cart-total">
        <span>Total</span> <Money cents={cart.totalCents} size="large" />
      </p>
      {atBank && cart.payment ? (
        <Banner
          tone="warning"
          title="Votre banque examine votre paiement."
          actions={
            <ButtonLink href={ticketPath({ commande: cart.id, paiement: cart.payment.id })}>
              Suivre le paiement
            </ButtonLink>
          }
        >
          Vos places restent gardées. Ne payez pas une seconde fois.
        </Banner>
      ) : (
        <>
          <PayCart cart={cart} purses={purses} />
          <GiveUp cart={cart} />
        </>
      )}
    </Section>
  );
}

const keyOf = ({ session, category, cardnumber }: CartLine) =>
  `${session} ${category} ${cardnumber}`;

function Line({
  line,
  put,
  locked,
}: {
  line: CartLine;
  put: ReturnType<typeof usePutLine>;
  locked: boolean;
}) {
  const { session, category, cardnumber, quantity } = line;
  const set = (next: number) => put.mutate({ session, category, cardnumber, quantity: next });
  const what = `${line.title}, ${line.categoryName}, ${line.holder}`;
  return (
    <li className="cart-line">
      <span className="price-words">
        <span className="price-name">{line.title}</span>
        <span className="price-about">{whenOf(line.startsAt)}</span>
        <span className="price-about">
          {line.categoryName}, pour {line.holder}
        </span>
        <span className="price-amount">
          {line.priceCents === 0 ? "Gratuit" : <Money cents={line.priceCents * quantity} />}
        </span>
      </span>
      {locked ? (
        <span className="quantity-value">{plural(quantity, "place")}</span>
      ) : (
        <span className="cart-acts">
          <Quantity label={what} value={quantity} most={20} busy={put.isPending} onValue={set} />
          <IconButton icon="trash" label={`Supprimer, ${what}`} onClick={() => set(0)} />
        </span>
      )}
    </li>
  );
}

function useDrop(order: string) {
  return useMutation<CartAnswer, ApiProblem>({
    mutationFn: () => call(api.tickets.dropCart, { order }),
    onSuccess: keepCart,
  });
}

function GiveUp({ cart }: { cart: Cart }) {
  const drop = useDrop(cart.id);
  return (
    <>
      <Button kind="ghost" loading={drop.isPending} onClick={() => drop.mutate()}>
        Abandonner ce panier
      </Button>
      {drop.error && <Banner tone="danger">{drop.error.message}</Banner>}
    </>
  );
}

/** The 25 minutes are over: what it was, and another try. */
function Ended({ cart }: { cart: Cart }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const drop = useDrop(cart.id);
  const retry = useMutation<CartAnswer, ApiProblem>({
    mutationFn: () => call(api.tickets.retryCart, { order: cart.id }),
    onSuccess: keepCart,
  });
  return (
    <Section>
      <h2 ref={heading} tabIndex={-1} className="cart-ended">
        Vos places ne sont plus réservées
      </h2>
      <p>
        Un panier garde les places 25 minutes, elles sont passées. Rien n’a été débité. Voici ce
        qu’il contenait&#8239;:
      </p>
      <ul className="cart-lines">
        {cart.lines.map((line) => (
          <li key={keyOf(line)} className="cart-line">
            <span className="price-words">
              <span className="price-name">{line.title}</span>
              <span className="price-about">{whenOf(line.startsAt)}</span>
              <span className="price-about">
                {plural(line.quantity, "place")}, {line.categoryName}, pour {line.holder}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {retry.error && (
        <Banner tone="danger" alert>
          {retry.error.message}
        </Banner>
      )}
      <div className="cart-buttons">
        <Button
          kind="primary"
          icon="refresh"
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Réserver de nouveau
        </Button>
        <Button kind="ghost" loading={drop.isPending} onClick={() => drop.mutate()}>
          Abandonner ce panier
        </Button>
      </div>
    </Section>
  );
}
