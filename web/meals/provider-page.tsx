// A provider of meals (spec §2 /commande/cantine/:name/:idgroup): the week's menus and meals of each person, what is
// chosen and its payment, the registrations of the family.
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRegistration } from "#contract/meals/registrations.ts";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { isFirstRead, keepAnswer, useAnswer } from "#web/app/transport/answers.ts";
import { numberIn, useSearchParameters } from "#web/app/shared/search.ts";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded, Skeleton } from "#web/ui/state.tsx";
import { useMealChoice } from "./use-meal-choice.ts";
import { WeekGrid } from "./week-grid.tsx";
import { chosenTotal, isChoice, mealOf, slotsOf } from "./week-slots.ts";
import styles from "./family-meals.module.css";

const Registrations = lazy(async () => ({
  default: (await import("./registrations.tsx")).Registrations,
}));
const Chosen = lazy(async () => ({ default: (await import("./chosen-bar.tsx")).Chosen }));
const ChoiceReview = lazy(async () => ({
  default: (await import("./choice-review.tsx")).ChoiceReview,
}));
const Purchases = lazy(async () => ({
  default: (await import("./purchases.tsx")).Purchases,
}));
const OrdersSuspended = lazy(async () => ({
  default: (await import("./provider-notices.tsx")).OrdersSuspended,
}));
const NothingToOrder = lazy(async () => ({
  default: (await import("./provider-notices.tsx")).NothingToOrder,
}));
const Usual = lazy(async () => ({ default: (await import("./usual-week.tsx")).Usual }));
const UsualTicked = lazy(async () => ({
  default: (await import("./usual-ticked.tsx")).UsualTicked,
}));
const WeeksDialog = lazy(async () => ({
  default: (await import("./weeks-dialog.tsx")).WeeksDialog,
}));

export function CanteenProviderPage() {
  const { idgroup } = useParams({ strict: false });
  // No group has the number 0: whatever is none finds no canteen.
  const group = numberIn(idgroup) ?? 0;
  const [search] = useSearchParameters<"canteenProvider">();
  const answer = useAnswer(api.canteen.provider, { idgroup: group });
  const provider = answer.data?.provider;
  return (
    <Page>
      <PageHeader
        title={provider?.name ?? "Cantine"}
        lead={
          search.step === undefined &&
          (provider ? `${provider.street}, ${provider.town}` : "\u00a0")
        }
        back={{ href: paths.canteenProviders, label: "Cantine" }}
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
              key={group}
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
  const choice = useMealChoice(idgroup);
  const weekParam = search.week ?? "";
  // Without a week in the address the server says that of the first meal to order; it stays, whatever is ordered.
  const [openedWeek, setOpenedWeek] = useState<string>();
  const day = isDay(weekParam) ? startOfWeek(weekParam) : openedWeek;
  const week = useAnswer(api.canteen.week, { idgroup, day }, { keepShown: true });
  // Ticked once, as a reminder's link demands; a reload of the page leaves the choice as it is.
  const isUsualDue = search.usual !== undefined && !frozen && !week.isPlaceholderData;
  const [tickedWeek, setTickedWeek] = useState<string>();
  useEffect(() => {
    if (day !== undefined || !week.data || week.isFetching) return;
    keepAnswer(api.canteen.week, { idgroup, day: week.data.monday }, week.data);
    // oxlint-disable-next-line react/set-state-in-effect -- which week it is comes from the server
    setOpenedWeek(week.data.monday);
  }, [day, idgroup, week.data, week.isFetching]);
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
  const isOver = paying && !frozen && week.data !== undefined && !week.isFetching;
  const shownWeek = day ?? week.data?.monday;
  const chosen = week.data && !frozen && chosenTotal(week.data, slotsOf(week.data, choice.pending));
  return (
    <Stack ref={place} gap={20}>
      {(frozen || isOver) && (
        <Suspense fallback={<Skeleton height="6rem" />}>
          {frozen ? <OrdersSuspended /> : <NothingToOrder />}
        </Suspense>
      )}
      <Section>
        <WeekHead
          monday={shownWeek}
          isChosen={isDay(weekParam) && shownWeek !== openedWeek}
          onGo={(to) => {
            setTickedWeek(undefined);
            if (to === undefined) setOpenedWeek(undefined);
            change({ week: to });
          }}
        />
        <Loaded answer={week} {...wait} height="26rem" failed="La semaine n’a pas pu être lue.">
          {(data) => (
            // The last week stays in sight while the next one is read, and takes no press for it.
            <Stack aria-busy={week.isPlaceholderData} inert={week.isPlaceholderData}>
              {isUsualDue || tickedWeek === data.monday ? (
                <Suspense fallback={<Skeleton height="44px" />}>
                  <UsualTicked
                    key={data.monday}
                    idgroup={idgroup}
                    monday={data.monday}
                    isDue={isUsualDue}
                    slots={slotsOf(data, choice.pending).filter(isChoice)}
                    onChoose={(some, isChosen) =>
                      choice.choose({ meals: some.map(mealOf), chosen: isChosen, confirmed: false })
                    }
                    onTicked={() => {
                      setTickedWeek(data.monday);
                      change({ usual: undefined, week: data.monday });
                    }}
                  />
                </Suspense>
              ) : accepted && !frozen && data.usual ? (
                <Suspense fallback={<Skeleton height="44px" />}>
                  <Usual
                    idgroup={idgroup}
                    monday={data.monday}
                    usual={data.usual}
                    onChosen={() => change({ step: "commander" })}
                  />
                </Suspense>
              ) : null}
              <WeekGrid
                week={data}
                slots={slotsOf(data, choice.pending)}
                today={todayInParis()}
                choice={choice}
              >
                <Row gap={8}>
                  {accepted && !frozen && (
                    <ByWeeks
                      idgroup={idgroup}
                      registrations={registrations}
                      custody={data.people.some(({ cells }) => cells.some((cell) => cell.custody))}
                      onSee={(first) => change({ step: "commander", week: startOfWeek(first) })}
                    />
                  )}
                  <ButtonLink size="small" href={paths.meals}>
                    Suivi des repas
                  </ButtonLink>
                </Row>
              </WeekGrid>
            </Stack>
          )}
        </Loaded>
      </Section>
      {!isFirstRead(week) && (
        <>
          <Suspense fallback={<Skeleton height="8rem" />}>
            <Registrations registrations={registrations} canteens={canteens} />
          </Suspense>
          {purchases && (
            <Suspense fallback={<Skeleton />}>
              <Purchases purchases={purchases} />
            </Suspense>
          )}
        </>
      )}
      {chosen && chosen.count > 0 && (
        <Suspense>
          <Chosen {...chosen} choice={choice} onOrder={() => change({ step: "commander" })} />
        </Suspense>
      )}
    </Stack>
  );
}

function WeekHead({
  monday,
  isChosen,
  onGo,
}: {
  /** ISO date; undefined while the first week is read. */
  monday: string | undefined;
  /** It was chosen, and is not the week of the first meal to order. */
  isChosen: boolean;
  onGo: (week: string | undefined) => void;
}) {
  const go = (days: number) => {
    if (monday) onGo(addDays(monday, days));
  };
  return (
    <div className={styles.weekHead}>
      <Row gap={8} wrap={false}>
        <IconButton icon="left" label="Semaine précédente" onClick={() => go(-7)} />
        <h2 aria-live="polite">
          {monday ? `Semaine du ${formatDate(monday)}` : "Semaine à commander"}
        </h2>
        <IconButton icon="right" label="Semaine suivante" onClick={() => go(7)} />
      </Row>
      {isChosen && (
        <Button size="small" onClick={() => onGo(undefined)}>
          À commander
        </Button>
      )}
    </div>
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
      <Button size="small" icon="calendar" onClick={() => setOpen(true)}>
        <span className="unseen">Commander</span> Par semaines
      </Button>
      {open && (
        <Suspense>
          <WeeksDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
