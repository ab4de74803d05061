// « Suivi des repas » (spec §2 /commande/cantine/suivi): what is ordered and what was, cancelling, the
// month as a PDF; and a payment at the provider's page, followed on the return.
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { addMonths, firstOfMonth, todayInParis } from "#contract/days.ts";
import { formatMonth } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { FollowedPayment } from "#web/wallet/follow-payment.tsx";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { MealCalendar } from "./meal-calendar.tsx";
import { MealList } from "./meal-list.tsx";
import { MealSpending } from "./meal-spending.tsx";
import { WhenChips } from "./when-chips.tsx";
import styles from "./family-meals.module.css";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));
const PaidMeals = lazy(async () => ({
  default: (await import("./paid-meals.tsx")).PaidMeals,
}));
const Illnesses = lazy(async () => ({
  default: (await import("./illness-list.tsx")).Illnesses,
}));

export function MealsFollowUpPage() {
  const [search, change] = useSearchParameters<"meals">();
  const when = search.tab === "passes" ? "past" : "coming";
  const { payment, order: paid } = search;
  // A message leads here to cancel one meal.
  const cancelled = search.cancel;
  const { cardnumber } = useUser();
  // Papers and a calendar of meals are for a family that has some.
  const home = useAnswer(api.home.read, { cardnumber });
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
        lead="Les repas commandés pour votre famille, servis ou annulés."
      />
      {payment ? (
        <Section title="Paiement de vos repas">
          <FollowedPayment
            id={payment}
            settled={paidMeals ?? <p>Vos repas sont commandés.</p>}
            onAgain={payAgain}
            onRest={() => noteChanges(["meals"])}
          />
        </Section>
      ) : (
        paidMeals && <Section>{paidMeals}</Section>
      )}
      <WhenChips
        value={when}
        onValue={(next) => change({ tab: next === "past" ? "passes" : undefined })}
      />
      <Section title={when === "coming" ? "Repas à venir" : "Repas passés"}>
        <MealList key={when} when={when} />
      </Section>
      <Suspense>
        <Illnesses />
      </Suspense>
      {cancelled && (
        <Suspense>
          <CancelMeals orders={[cancelled]} onClose={() => change({ cancel: undefined })} />
        </Suspense>
      )}
      {(home.data?.canteen ?? home.isError) && (
        <>
          <MealSpending />
          <MonthFile />
          <MealCalendar />
        </>
      )}
    </Page>
  );
}

/** The meals of one person in a month as a PDF. */
function MonthFile() {
  const { cards } = useOwnCards({ without: ["replaced"] });
  const [cardnumber, setCardnumber] = useState<string | null>(null);
  const months = Array.from({ length: 13 }, (_, index) =>
    addMonths(firstOfMonth(todayInParis()), 1 - index),
  );
  const [month, setMonth] = useState(months[1] ?? "");
  // Children eat at a canteen more often than whoever orders for them.
  const usual = cards?.find(({ relation }) => relation === "child") ?? cards?.[0];
  const chosen = cardnumber ?? String(usual?.cardnumber ?? "");
  const download = useDownload(api.canteen.print, {
    cardnumber: Number(chosen),
    month: month.slice(0, 7),
  });
  if (!cards || cards.length === 0) return null;
  return (
    <Section title="Le mois en PDF">
      <div className={styles.monthFile}>
        <Select
          label="Qui"
          options={cards.map((card) => ({ value: String(card.cardnumber), label: card.name }))}
          value={chosen}
          onValue={setCardnumber}
        />
        <Select
          label="Mois"
          options={months.map((day) => ({ value: day, label: formatMonth(day) }))}
          value={month}
          onValue={setMonth}
        />
        <Button icon="download" loading={download.isPending} onClick={() => download.send()}>
          Télécharger le PDF
        </Button>
      </div>
      <ProblemBanner problem={download.problem} />
    </Section>
  );
}
