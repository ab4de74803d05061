// « Suivi des repas » (spec §2 /commande/cantine/suivi): a month of meals and what can be done about them, its
// papers; and a payment at the provider's page, followed on the return.
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { MealPapers } from "./meal-papers.tsx";
import { MealsMonth, NoMeals } from "./meals-month.tsx";
import { useMealsMonth } from "./use-meals-month.ts";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));
const FollowedPayment = lazy(async () => ({
  default: (await import("#web/wallet/follow-payment.tsx")).FollowedPayment,
}));
const PaidMeals = lazy(async () => ({
  default: (await import("./paid-meals.tsx")).PaidMeals,
}));
const Illnesses = lazy(async () => ({
  default: (await import("./illness-list.tsx")).Illnesses,
}));

export function MealsFollowUpPage() {
  const [search, change] = useSearchParameters<"meals">();
  const { payment, order: paid } = search;
  // A message leads here to cancel one meal.
  const cancelled = search.cancel;
  const { answer, day, month } = useMealsMonth();
  const { cardnumber } = useUser();
  // Papers and a calendar of meals are for a family that a canteen knows.
  const home = useAnswer(api.home.read, { cardnumber });
  const hasPapers = home.data?.canteen ?? home.isError;
  const illnesses = (
    <Suspense>
      <Illnesses />
    </Suspense>
  );
  const { history } = useRouter();
  const close = () =>
    change({ payment: undefined, order: undefined, group: undefined, name: undefined });
  // What a payment has not settled is still chosen, where it was.
  const payAgain = () => {
    const { name, group } = search;
    if (name === undefined || group === undefined) close();
    else {
      history.push(linkTo(paths.canteenProvider, { name, idgroup: group }, { step: "commander" }));
    }
  };
  const paidMeals = paid && (
    <Suspense fallback={<Skeleton lines={4} height="2.5rem" />}>
      <PaidMeals order={paid} onClose={close} />
    </Suspense>
  );
  return (
    <Page>
      <PageHeader
        title="Suivi des repas"
        back={{ href: paths.canteenProviders, label: "Cantine" }}
        actions={
          home.isPending ? (
            <Skeleton height="var(--target)" width="9rem" />
          ) : hasPapers ? (
            <MealPapers
              month={month}
              orders={answer.isPlaceholderData ? undefined : answer.data?.items}
            />
          ) : null
        }
      />
      {payment ? (
        <Section title="Paiement de vos repas">
          <Suspense fallback={<Skeleton lines={4} height="2.5rem" />}>
            <FollowedPayment
              id={payment}
              settled={paidMeals ?? <p>Vos repas sont commandés.</p>}
              onAgain={payAgain}
              onRest={() => noteChanges(["meals"])}
            />
          </Suspense>
        </Section>
      ) : (
        paidMeals && <Section>{paidMeals}</Section>
      )}
      {month !== undefined && answer.data?.span !== null ? (
        <MealsMonth {...{ month, day, answer }} beside={illnesses} />
      ) : (
        <>
          <Section>
            {month === undefined ? (
              <NotLoaded
                answer={answer}
                label="Chargement des repas…"
                height="26rem"
                failed="Les repas n’ont pas pu être lus."
              />
            ) : (
              <NoMeals />
            )}
          </Section>
          {illnesses}
        </>
      )}
      {cancelled && (
        <Suspense>
          <CancelMeals orders={[cancelled]} onClose={() => change({ cancel: undefined })} />
        </Suspense>
      )}
    </Page>
  );
}
