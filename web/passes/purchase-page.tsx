// Buying a pass (spec §2 purchase/abonnement): for whom and from when, everything once more with the
// price explained, the payment, the pass. The purchase lives on the server: the address names it, and a
// reload, another tab or another day goes on where one was (spec.md 7).
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { api } from "#contract/api.ts";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { linkTo } from "#contract/link-to.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import { paths } from "#contract/paths.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { PurchaseForm } from "./purchase-form.tsx";
import { AbandonPurchase, PurchaseReview } from "./purchase-review.tsx";

// Seen by whoever comes back from the payment page.
const FollowedPayment = lazy(async () => ({
  default: (await import("#web/wallet/follow-payment.tsx")).FollowedPayment,
}));
// Seen once, after the payment.
const PurchaseDone = lazy(async () => ({
  default: (await import("./purchase-done.tsx")).PurchaseDone,
}));

const steps = ["Votre titre", "Vérification", "Titre prêt"] as const;

export function PurchasePage() {
  const [search] = useSearchParameters<"passPurchase">();
  const order = useAnswer(
    api.passes.order,
    { order: search.order ?? "" },
    { enabled: search.order !== undefined },
  );
  const known = order.data;
  const back = known
    ? {
        href: linkTo(paths.fares, { group: known.group.idgroup }, { card: known.cardnumber }),
        label: known.group.name,
      }
    : { href: paths.lines, label: "Lignes" };
  return (
    <Page narrow>
      <PageHeader
        title="Acheter un titre"
        lead={order.data ? order.data.product.name : "\u00a0"}
        back={back}
      />
      {search.order !== undefined ? (
        <OpenedPurchase answer={order} />
      ) : search.product !== undefined ? (
        <NewPurchase product={search.product} card={search.card} />
      ) : (
        <NoProduct />
      )}
    </Page>
  );
}

const NoProduct = () => (
  <Section>
    <EmptyState
      icon="bus"
      title="Choisissez d’abord un titre"
      action={<ButtonLink href={paths.lines}>Voir les lignes</ButtonLink>}
    >
      Chaque groupe de lignes montre ses tickets et abonnements, avec votre prix.
    </EmptyState>
  </Section>
);

/** Begins the purchase, or finds the one that waits, and puts it in the address. */
function NewPurchase({ product, card }: { product: string; card: string | undefined }) {
  const riders = useOwnCards({ without: ["replaced"] });
  const [, change] = useSearchParameters<"passPurchase">();
  const cards = riders.cards ?? [];
  const rider = cards.find(({ cardnumber }) => String(cardnumber) === card) ?? cards[0];
  const cardnumber = rider?.cardnumber ?? 0;
  const begun = useQuery<PassOrder, ApiProblem>({
    queryKey: ["passes.start", product, cardnumber],
    queryFn: () => call(api.passes.start, { product, cardnumber }),
    enabled: rider !== undefined,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const order = begun.data;
  useEffect(() => {
    if (!order) return;
    queryClient.setQueryData(keyOf(api.passes.order, { order: order.id }), order);
    change({ order: order.id, product: undefined, card: undefined });
  }, [order, change]);
  const problem = riders.problem ?? begun.error;
  return (
    <Section>
      {problem && begun.error?.definite ? (
        <EmptyState
          icon="bus"
          title="Ce titre ne peut pas être acheté"
          action={<ButtonLink href={paths.lines}>Voir les lignes</ButtonLink>}
        >
          {problem.message}
        </EmptyState>
      ) : (
        <NotLoaded
          answer={{
            data: undefined,
            error: problem,
            isFetching: riders.fetching || begun.isFetching,
            refetch: () => (riders.problem ? riders.retry() : void begun.refetch()),
          }}
          {...wait}
          failed="L’achat n’a pas pu commencer."
        />
      )}
    </Section>
  );
}

function OpenedPurchase({
  answer,
}: {
  answer: ReturnType<typeof useAnswer<typeof api.passes.order>>;
}) {
  const order = answer.data;
  if (order) return <Purchase order={order} />;
  return (
    <Section>
      {answer.error?.definite ? (
        <EmptyState
          icon="search"
          title="Nous ne trouvons pas cet achat"
          action={<ButtonLink href={paths.lines}>Voir les lignes</ButtonLink>}
        >
          L’adresse n’est pas complète, ou c’est l’achat d’une autre personne.
        </EmptyState>
      ) : (
        <NotLoaded answer={answer} {...wait} failed="Cet achat n’a pas pu être chargé." />
      )}
    </Section>
  );
}

/** What is still to be said before the price can be checked and paid. */
const isReady = ({
  startOn,
  start,
  stop,
  photo,
  product,
  ineligibility,
  state,
}: PassOrder): boolean =>
  state === "awaiting_payment" ||
  (ineligibility === null &&
    (startOn !== null || start.kind === "now") &&
    (stop !== null || !product.needsStop) &&
    (photo !== null || !product.needsPhoto));

function Purchase({ order }: { order: PassOrder }) {
  const [search, change] = useSearchParameters<"passPurchase">();
  const reviewing = search.step === "verification" && isReady(order);
  const step = order.state === "paid" ? 2 : reviewing || order.state === "awaiting_payment" ? 1 : 0;
  const place = useFocusAtStep(step);
  const back = () => change({ step: undefined });
  const followed = search.payment ?? (order.state === "awaiting_payment" ? order.topUp : null);
  if (order.state !== "paid" && followed) return <Paying order={order} id={followed} />;
  if (order.state === "cancelled") return <Cancelled order={order} />;
  return (
    <div ref={place}>
      <Section>
        <Stepper
          label="Étapes de l’achat"
          steps={steps}
          current={step}
          onBack={step === 1 && order.state === "draft" ? back : undefined}
        />
        {step === 0 && (
          <PurchaseForm
            key={order.id}
            order={order}
            onDone={() => change({ step: "verification" })}
          />
        )}
        {step === 1 && <PurchaseReview order={order} onBack={back} />}
        {step === 2 && (
          <Suspense fallback={<Skeleton lines={3} height="4rem" />}>
            <PurchaseDone order={order} />
          </Suspense>
        )}
      </Section>
    </div>
  );
}

/** The payment at the provider, followed until it is known (the address names it on the return). */
function Paying({ order, id }: { order: PassOrder; id: string }) {
  const [, change] = useSearchParameters<"passPurchase">();
  const again = () => {
    change({ payment: undefined, step: "verification" });
    noteChanges(["passes"]);
  };
  return (
    <Section>
      <Stepper label="Étapes de l’achat" steps={steps} current={1} />
      <Suspense fallback={<Skeleton lines={3} height="4rem" />}>
        <FollowedPayment
          id={id}
          settled={
            <Suspense fallback={<Skeleton lines={3} height="4rem" />}>
              <PurchaseDone order={order} />
            </Suspense>
          }
          onAgain={again}
          onRest={() => noteChanges(["passes", "wallets"])}
        />
      </Suspense>
      {order.state === "awaiting_payment" && <AbandonPurchase order={order} />}
    </Section>
  );
}

const Cancelled = ({ order }: { order: PassOrder }) => (
  <Section>
    <EmptyState
      icon="close"
      title="Cet achat est abandonné"
      action={
        <ButtonLink href={linkTo(paths.fares, { group: order.group.idgroup })}>
          Voir les titres en vente
        </ButtonLink>
      }
    >
      Rien n’a été payé. Vous pouvez en commencer un autre.
    </EmptyState>
  </Section>
);

const wait = { label: "Préparation de l’achat…", lines: 4, height: "4rem" };
