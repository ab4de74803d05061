// A provider of meals (spec §2 /commande/cantine/:name/:idgroup): the week's menus and meals of each person, what is
// chosen and its payment, the registrations of the family.
import { useMutation } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { egalimGoals } from "#contract/kitchen/egalim.ts";
import { sharesOf } from "#contract/kitchen/purchases.ts";
import type { MealRequest } from "#contract/meals/orders.ts";
import type { CanteenRegistration } from "#contract/meals/registrations.ts";
import { addDays, startOfWeek, todayInParis, weekdayOf } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatMoney, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { numberIn, useSearchParameters } from "#web/app/shared/search.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded, Skeleton } from "#web/ui/state.tsx";
import { WeekGrid } from "./week-grid.tsx";
import styles from "./family-meals.module.css";

const Registrations = lazy(async () => ({
  default: (await import("./registrations.tsx")).Registrations,
}));
const ChoiceReview = lazy(async () => ({
  default: (await import("./choice-review.tsx")).ChoiceReview,
}));
const WeeksDialog = lazy(async () => ({
  default: (await import("./weeks-dialog.tsx")).WeeksDialog,
}));

export function CanteenProviderPage() {
  const { idgroup } = useParams({ strict: false });
  // No group has the number 0: whatever is none finds no canteen.
  const group = numberIn(idgroup) ?? 0;
  const answer = useAnswer(api.canteen.provider, { idgroup: group });
  const provider = answer.data?.provider;
  return (
    <Page>
      <PageHeader
        title={provider?.name ?? "Cantine"}
        lead={provider ? `${provider.street}, ${provider.town}` : "\u00a0"}
        back={{ href: paths.canteenProviders, label: "Cantine" }}
        actions={
          <ButtonLink icon="calendar" href={paths.meals}>
            Suivi des repas
          </ButtonLink>
        }
      />
      {!answer.data && answer.error?.definite ? (
        <EmptyState
          icon="search"
          title="Nous ne trouvons pas cette cantine"
          action={<ButtonLink href={paths.canteenProviders}>Voir les cantines</ButtonLink>}
        >
          L’adresse n’est pas complète, ou cette cantine n’est plus dans le réseau.
        </EmptyState>
      ) : (
        <Loaded answer={answer} {...wait} failed="Cette cantine n’a pas pu être lue.">
          {({ provider: { frozen }, registrations, canteens, purchases }) => (
            <Meals
              idgroup={group}
              frozen={frozen}
              registrations={registrations}
              canteens={canteens}
              purchases={purchases}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}

const wait = { label: "Chargement de la cantine…", lines: 4, height: "6rem" };

function Meals({
  idgroup,
  frozen,
  registrations,
  canteens,
  purchases,
}: {
  idgroup: number;
  /** It takes no order for the time being. */
  frozen: boolean;
  registrations: readonly CanteenRegistration[];
  canteens: Output<typeof api.canteen.provider>["canteens"];
  purchases: Output<typeof api.canteen.provider>["purchases"];
}) {
  const [search, change] = useSearchParameters<"canteenProvider">();
  const paying = search.step === "commander";
  const today = todayInParis();
  // At the week-end, the week that can still be ordered.
  const defaultDay = weekdayOf(today) > 4 ? addDays(today, 2) : today;
  const weekParam = search.week ?? "";
  const monday = startOfWeek(isDay(weekParam) ? weekParam : defaultDay);
  const week = useAnswer(api.canteen.week, { idgroup, day: monday });
  const accepted = registrations.some(({ state }) => state === "accepted");
  const request = week.data?.request ?? null;
  const reviewed = paying && !frozen ? request : null;
  // The step is what is shown: the week of the address may still be read.
  const place = useFocusAtStep(reviewed ? 1 : 0);
  if (reviewed) {
    return (
      <div ref={place}>
        <Section title="Vérifiez avant de commander">
          <Suspense fallback={<Skeleton lines={3} />}>
            <ChoiceReview
              idgroup={idgroup}
              request={reviewed}
              onBack={() => change({ step: undefined })}
            />
          </Suspense>
        </Section>
      </div>
    );
  }
  // Ordered in another tab, or by an act whose answer was lost: the days below tell.
  const isOver = paying && !frozen && week.data !== undefined;
  const weekOf = (day: string) => {
    const first = startOfWeek(day);
    return { week: first === startOfWeek(defaultDay) ? undefined : first };
  };
  const goTo = (day: string) => change(weekOf(day));
  return (
    <Stack ref={place} gap={20}>
      {frozen && (
        <Banner tone="warning" title="Les commandes sont suspendues.">
          Cette cantine ne prend plus de commandes pour l’instant. Les repas déjà commandés restent,
          et s’annulent comme d’habitude.
        </Banner>
      )}
      {isOver && (
        <Banner
          title="Aucun repas n’attend d’être commandé."
          actions={<ButtonLink href={paths.meals}>Voir les repas commandés</ButtonLink>}
        >
          Un repas commandé n’est payé qu’une fois.
        </Banner>
      )}
      <div className={styles.weekHead}>
        <Row gap={8} wrap={false}>
          <IconButton
            icon="left"
            label="Semaine précédente"
            onClick={() => goTo(addDays(monday, -7))}
          />
          <h2 aria-live="polite">
            Semaine du {formatDate(monday).slice(0, 5)} au {formatDate(addDays(monday, 6))}
          </h2>
          <IconButton
            icon="right"
            label="Semaine suivante"
            onClick={() => goTo(addDays(monday, 7))}
          />
        </Row>
        {monday !== startOfWeek(defaultDay) && (
          <Button size="small" onClick={() => goTo(startOfWeek(defaultDay))}>
            {defaultDay === today ? "Cette semaine" : "Semaine prochaine"}
          </Button>
        )}
        {accepted && !frozen && (
          <ByWeeks
            idgroup={idgroup}
            registrations={registrations}
            custody={
              week.data?.people.some(({ cells }) => cells.some((cell) => cell.custody)) ?? false
            }
            onSee={(day) => change({ step: "commander", ...weekOf(day) })}
          />
        )}
      </div>
      {week.data?.usual && !frozen && (
        <Usual
          idgroup={idgroup}
          monday={monday}
          usual={week.data.usual}
          onChosen={() => change({ step: "commander" })}
        />
      )}
      <Loaded answer={week} {...wait} failed="La semaine n’a pas pu être lue.">
        {(data) => <WeekGrid idgroup={idgroup} week={data} today={today} />}
      </Loaded>
      {request && !frozen && (
        <Chosen request={request} onOrder={() => change({ step: "commander" })} />
      )}
      <Suspense fallback={<Skeleton height="8rem" />}>
        <Registrations registrations={registrations} canteens={canteens} />
      </Suspense>
      {purchases && (
        <p>
          Achats de {purchases.year}&#8239;: {sharesOf(purchases)}. La loi EGalim demande{" "}
          {egalimGoals.sustainable}&nbsp;% et {egalimGoals.organic}&nbsp;%.
        </p>
      )}
    </Stack>
  );
}

function ByWeeks(props: {
  idgroup: number;
  registrations: readonly CanteenRegistration[];
  custody: boolean;
  onSee: (day: string) => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="calendar" onClick={() => setOpen(true)}>
        Commander par semaines
      </Button>
      {open && (
        <Suspense>
          <WeeksDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** One press for the week that the family usually orders. */
function Usual({
  idgroup,
  monday,
  usual,
  onChosen,
}: {
  idgroup: number;
  monday: string;
  usual: NonNullable<Output<typeof api.canteen.week>["usual"]>;
  onChosen: () => void;
}) {
  const choose = useMutation<unknown, ApiProblem>({
    mutationFn: () => call(api.canteen.chooseUsual, { idgroup, day: monday }),
    // Once the week has what is chosen: the review shows it.
    onSettled: (_answer, problem) => {
      if (!problem) onChosen();
    },
  });
  return (
    <Banner
      title={`Comme d’habitude\u202f: ${plural(usual.count, "repas", "repas")}, ${formatMoney(usual.totalCents)}`}
      actions={
        <Button kind="primary" loading={choose.isPending} onClick={() => choose.mutate()}>
          Choisir et vérifier
        </Button>
      }
    >
      Les jours que vous avez commandés ces dernières semaines.
      <ProblemBanner problem={choose.error} />
    </Banner>
  );
}

const Chosen = ({ request, onOrder }: { request: MealRequest; onOrder: () => void }) => (
  <Banner
    title={`${plural(request.lines.length, "repas", "repas")} à commander, ${formatMoney(request.totalCents)}`}
    actions={
      <Button kind="primary" onClick={onOrder}>
        Commander
      </Button>
    }
  >
    Rien n’est réservé avant la commande.
  </Banner>
);
