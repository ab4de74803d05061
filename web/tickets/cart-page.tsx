// The cart: what is held and until when, who pays, and what to do when its time is over.
import styles from "./tickets.module.css";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import type { Cart, CartLine } from "#contract/tickets/cart.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { useFocusAfterRemoval } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { Text } from "#web/ui/text.tsx";
import { notify } from "#web/ui/toast.tsx";
import { keepCart, ticketPath, useCart } from "./use-cart.ts";
import { CartTime } from "./cart-time.tsx";
import { Quantity, usePutLine } from "./prices.tsx";
import { whenOf } from "./session-dates.ts";

const PayCart = lazy(async () => ({ default: (await import("./pay-cart.tsx")).PayCart }));

const steps = ["Places", "Paiement", "Billets"] as const;

export function CartPage() {
  const answer = useCart();
  const cart = answer.data?.cart ?? null;
  const [last, setLast] = useState<string | null>(null);
  if (cart && cart.id !== last) setLast(cart.id);
  const place = useFocusAfterRemoval(cart?.lines.length ?? 0);
  return (
    <Page narrow place={place}>
      <PageHeader title="Votre panier" back={{ href: ticketPath(), label: "E-billets" }} />
      {!answer.data && (
        <Section>
          <NotLoaded
            answer={answer}
            label="Chargement du panier…"
            lines={4}
            height="4rem"
            failed="Votre panier n’a pas pu être chargé."
          />
        </Section>
      )}
      {answer.data && !cart && <NoCart last={last} />}
      {cart?.state === "expired" && <ExpiredCart cart={cart} />}
      {cart?.state === "cart" && answer.data && (
        <OpenCart cart={cart} skewMs={answer.data.skewMs} onEnd={() => void answer.refetch()} />
      )}
    </Page>
  );
}

/** `last`: the cart that was here a moment ago. It may be paid, in another tab or by an act whose answer was lost. */
function NoCart({ last }: { last: string | null }) {
  const options = { enabled: last !== null, atOnce: true };
  const answer = useAnswer(api.tickets.order, { order: last ?? "" }, options);
  const paid = answer.data?.order.state === "paid" ? answer.data.order.id : null;
  // Not told as empty for a moment before it is told as paid.
  if (isFirstRead(answer)) {
    return (
      <Section>
        <Loading label="Lecture du panier…">
          <Skeleton lines={4} height="4rem" />
        </Loading>
      </Section>
    );
  }
  return (
    <Section>
      {paid === null ? (
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
      ) : (
        <EmptyState
          icon="check"
          title="Ce panier est payé"
          action={
            <ButtonLink kind="primary" href={ticketPath({ order: paid })}>
              Voir les billets
            </ButtonLink>
          }
        >
          Il n’est payé qu’une fois. Vos billets sont prêts.
        </EmptyState>
      )}
    </Section>
  );
}

function OpenCart({ cart, skewMs, onEnd }: { cart: Cart; skewMs: number; onEnd: () => void }) {
  const put = usePutLine();
  const atBank = cart.payment?.state === "authorized";
  return (
    <Section>
      <Stepper label="Étapes de l’achat" steps={steps} current={1} />
      <CartTime cart={cart} skewMs={skewMs} onEnd={onEnd} />
      <ul>
        {cart.lines.map((line) => (
          <Line key={keyOf(line)} line={line} put={put} locked={atBank} />
        ))}
      </ul>
      <ProblemBanner problem={put.error} />
      <p className={styles.cartTotal}>
        <span>Total</span> <Money cents={cart.totalCents} size="large" />
      </p>
      {atBank && cart.payment ? (
        <Banner
          tone="warning"
          title="Votre banque examine votre paiement."
          actions={
            <ButtonLink href={ticketPath({ order: cart.id, payment: cart.payment.id })}>
              Suivre le paiement
            </ButtonLink>
          }
        >
          Vos places restent gardées. Ne payez pas une seconde fois.
        </Banner>
      ) : (
        <>
          <Suspense fallback={<Skeleton lines={2} height="4.5rem" />}>
            <PayCart cart={cart} />
          </Suspense>
          <AbandonCart cart={cart} />
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
  const remove = () =>
    void put.mutateAsync({ session, category, cardnumber, quantity: 0 }).then(
      () => notify({ text: `Retiré du panier\u202f: ${what}.` }),
      // `put.error` has it.
      () => undefined,
    );
  return (
    <li className={styles.cartLine}>
      <span className={styles.priceWords}>
        <span className={styles.priceName}>{line.title}</span>
        <Text as="span" tone="soft" size="fine">
          {whenOf(line.startsAt)}
        </Text>
        <Text as="span" tone="soft" size="fine">
          {line.categoryName}, pour {line.holder}
        </Text>
        <span className={styles.priceAmount}>
          {line.priceCents === 0 ? "Gratuit" : <Money cents={line.priceCents * quantity} />}
        </span>
      </span>
      {locked ? (
        <span className={styles.quantityValue}>{plural(quantity, "place")}</span>
      ) : (
        <span className={styles.cartActs}>
          <Quantity label={what} value={quantity} max={20} busy={put.isPending} onValue={set} />
          <IconButton icon="trash" label={`Supprimer, ${what}`} onClick={remove} />
        </span>
      )}
    </li>
  );
}

function useDrop(order: string) {
  return useAction(() => call(api.tickets.dropCart, { order }), { onDone: keepCart });
}

function AbandonCart({ cart }: { cart: Cart }) {
  const drop = useDrop(cart.id);
  return (
    <>
      <Button kind="ghost" loading={drop.isPending} onClick={() => drop.send()}>
        Abandonner ce panier
      </Button>
      <ProblemBanner problem={drop.problem} />
    </>
  );
}

/** An expired cart: what it held, and a button to hold it again. */
function ExpiredCart({ cart }: { cart: Cart }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const drop = useDrop(cart.id);
  const retry = useAction(() => call(api.tickets.retryCart, { order: cart.id }), {
    onDone: keepCart,
  });
  return (
    <Section>
      <h2 ref={heading} tabIndex={-1} className={styles.cartEnded}>
        Vos places ne sont plus réservées
      </h2>
      <p>
        Un panier garde les places 25 minutes, elles sont passées. Rien n’a été débité. Voici ce
        qu’il contenait&#8239;:
      </p>
      <ul>
        {cart.lines.map((line) => (
          <li key={keyOf(line)} className={styles.cartLine}>
            <span className={styles.priceWords}>
              <span className={styles.priceName}>{line.title}</span>
              <Text as="span" tone="soft" size="fine">
                {whenOf(line.startsAt)}
              </Text>
              <Text as="span" tone="soft" size="fine">
                {plural(line.quantity, "place")}, {line.categoryName}, pour {line.holder}
              </Text>
            </span>
          </li>
        ))}
      </ul>
      <ProblemBanner problem={retry.problem} />
      <div className={styles.cartButtons}>
        <Button
          kind="primary"
          icon="refresh"
          loading={retry.isPending}
          onClick={() => retry.send()}
        >
          Réserver de nouveau
        </Button>
        <Button kind="ghost" loading={drop.isPending} onClick={() => drop.send()}>
          Abandonner ce panier
        </Button>
      </div>
    </Section>
  );
}

/** The cart in one line, above the pages of e-tickets. */
export function CartBar() {
  const { data, refetch } = useCart();
  if (!data?.cart) return null;
  const { cart, skewMs } = data;
  const count = cart.lines.reduce((sum, line) => sum + line.quantity, 0);
  const see = <ButtonLink href={ticketPath({ cart: "" })}>Voir le panier</ButtonLink>;
  if (cart.state === "expired") {
    return (
      <Banner tone="warning" title="Vos places ne sont plus réservées." actions={see}>
        Rien n’a été débité. Vous pouvez réessayer.
      </Banner>
    );
  }
  return (
    <Banner title={`${plural(count, "place")} dans votre panier`} actions={see}>
      <CartTime cart={cart} skewMs={skewMs} onEnd={() => void refetch()} />
    </Banner>
  );
}
