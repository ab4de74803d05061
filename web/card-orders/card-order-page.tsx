// « Commande de cartes »: the orders of a company, the steps of a new one, and one on its way (spec §2
// Pro_card). The address names the step or the order: a reload comes back to the same place.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { currentUser, ownCardnumber } from "#web/app/transport/session.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { cardData } from "./card-data.ts";
import { beginPath, isOrdering } from "./navigation.ts";
import { OrderList } from "./order-list.tsx";

const OrderSteps = lazy(async () => ({ default: (await import("./order-steps.tsx")).OrderSteps }));
const Dispatch = lazy(async () => ({ default: (await import("./dispatch.tsx")).Dispatch }));
const FollowedOrder = lazy(async () => ({
  default: (await import("./order-payment.tsx")).FollowedOrder,
}));

/** Who enters: type 2 by the card data; where anyone else is sent (spec §2), null to enter. */
export async function enterCardOrder(): Promise<string | null> {
  const user = currentUser.get();
  if (!user) return paths.login;
  const data = await cardData(ownCardnumber(user));
  return data?.type === 2 ? null : paths.proCards;
}

export function CardOrderPage() {
  const [{ step, order, payment, paid }] = useSearchParameters<"cardOrders">();
  const ordering = isOrdering(step);
  const place = useFocusAtStep(order ?? (ordering ? "steps" : "list"));
  if (order) {
    return (
      <div ref={place}>
        <Dispatch key={order} id={order} isPaid={paid !== undefined} />
      </div>
    );
  }
  return (
    <div ref={place}>
      <Page narrow={ordering}>
        <PageHeader
          title="Commande de cartes"
          lead={ordering ? "Des cartes pro pour les personnes de votre entreprise." : undefined}
          back={
            ordering
              ? { href: paths.cardOrders, label: "Vos commandes" }
              : { href: paths.proCards, label: "Cartes pro" }
          }
        />
        <Suspense fallback={waiting}>
          {payment ? (
            <FollowedOrder id={payment} />
          ) : ordering ? (
            <OrderSteps step={step} />
          ) : (
            <Orders />
          )}
        </Suspense>
      </Page>
    </div>
  );
}

const waiting = (
  <Section>
    <Loading label="Chargement de la commande…">
      <Skeleton lines={5} height="3rem" />
    </Loading>
  </Section>
);

function Orders() {
  const desk = useAnswer(api.cardOrders.desk, {});
  const orders = usePages(api.cardOrders.list, {}, { by: "before" });
  const barred = orders.error?.code === "company_role" || orders.error?.code === "company_missing";
  const mayOrder = desk.data !== undefined;
  if (barred) {
    return (
      <EmptyState
        icon="lock"
        title="Ces commandes ne vous sont pas ouvertes"
        action={<ButtonLink href={paths.dashboard}>Voir ma carte</ButtonLink>}
      >
        {orders.error?.message}
      </EmptyState>
    );
  }
  if (desk.isPending || (!orders.data && !orders.error)) return waiting;
  if (!orders.data) {
    return (
      <Section>
        <ErrorState title="Vos commandes n’ont pas pu être chargées." answer={orders} />
      </Section>
    );
  }
  const draft = desk.data?.draft ?? null;
  if (orders.items.length === 0 && !draft) {
    return (
      <EmptyState
        icon="card"
        title="Aucune commande"
        action={
          mayOrder && (
            <ButtonLink kind="primary" icon="plus" href={beginPath}>
              Commander des cartes
            </ButtonLink>
          )
        }
      >
        {mayOrder
          ? "Une carte pro paie et identifie une personne de votre entreprise. Commandez-en pour chacune."
          : "Le responsable de votre entreprise commande les cartes. Vous suivrez ici ses commandes."}
      </EmptyState>
    );
  }
  return <OrderList orders={orders} desk={desk.data ?? null} />;
}
