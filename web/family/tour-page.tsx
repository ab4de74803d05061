// « Premiers pas »: a tour of a few cards, opened once after the first password, and from the help.
import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { api } from "#contract/api.ts";
import { paths } from "#contract/paths.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { ownCardnumber } from "#web/app/transport/session.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Button } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { PageHeader } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Stepper } from "#web/ui/stepper.tsx";
import { isOwnGesture, useStepping } from "#web/ui/stepping.ts";
import { useTopUpOpen } from "#web/wallet/top-up-link.tsx";
import { dropTourStep } from "#web/identity/tour-return.ts";
import { TourCard } from "./tour-card.tsx";
import { tourDone, type TourFacts, tourStepNames, tourSteps } from "./tour-steps.ts";
import styles from "./tour.module.css";
import { useEndTour } from "#web/identity/use-end-tour.ts";

export function TourPage() {
  const user = useUser();
  const cards = useAnswer(api.cards.list, {});
  const family = useAnswer(api.family.list, {});
  const wallets = useAnswer(api.wallet.list, { cardnumber: ownCardnumber(user) });
  const providers = useAnswer(api.canteen.providers, {});
  const takesMoney = useTopUpOpen();
  const end = useEndTour();
  useEffect(dropTourStep, []);
  const skip = (
    <Button
      kind="ghost"
      loading={end.isPending}
      onClick={() => end.isPending || end.send(paths.dashboard)}
    >
      Passer
    </Button>
  );
  if ([cards, family, wallets, providers].some(isFirstRead))
    return (
      <>
        <PageHeader title="Premiers pas" />
        <Loading label="Chargement des premiers pas…">
          <Skeleton lines={4} height="3rem" />
        </Loading>
        <div className={styles.foot}>{skip}</div>
      </>
    );
  const facts: TourFacts = {
    card: cards.data?.items.find(({ relation }) => relation === "self") ?? null,
    family: family.data ?? null,
    wallet: wallets.data?.items.find(({ main }) => main) ?? null,
    takesMoney,
    providers: providers.data?.items ?? [],
  };
  if (!facts.card)
    return (
      <>
        <PageHeader title="Premiers pas" />
        <ErrorState title="Les premiers pas n’ont pas pu être chargés." answer={cards} />
        <div className={styles.foot}>{skip}</div>
      </>
    );
  return <Tour facts={facts} end={end} skip={skip} />;
}

function Tour({
  facts,
  end,
  skip,
}: {
  facts: TourFacts;
  end: ReturnType<typeof useEndTour>;
  skip: ReactNode;
}) {
  const [search, change] = useSearchParameters<"tour">();
  const steps = tourSteps(facts);
  const place = Math.max(
    0,
    steps.findIndex((step) => step === search.step),
  );
  const step = steps[place] ?? "carte";
  const next = steps[place + 1];
  const focus = useFocusAtStep(step);
  const leave = (href: string) => end.isPending || end.send(href);
  const go = (by: 1 | -1) => {
    const to = steps[place + by];
    if (to) change({ step: to });
  };
  const { onKeyDown, ...swipe } = useStepping(go);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOwnGesture(event)) leave(paths.dashboard);
    else onKeyDown(event);
  };
  const isDone = tourDone[step](facts) !== null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons do the same
    <div ref={focus} className={styles.tour} data-wide tabIndex={-1} onKeyDown={onKey} {...swipe}>
      <Stepper
        label="Étapes des premiers pas"
        steps={steps.map((one) => tourStepNames[one])}
        current={place}
        onBack={() => go(-1)}
      />
      <TourCard key={step} step={step} facts={facts} next={next} onEnd={leave} />
      <div className={styles.foot}>
        {skip}
        <Button
          kind={isDone && next ? "primary" : "secondary"}
          iconEnd={next ? "forward" : "check"}
          loading={next === undefined && end.isPending}
          onClick={() => (next ? go(1) : leave(paths.dashboard))}
        >
          {next ? "Suivant" : "Terminer"}
        </Button>
      </div>
    </div>
  );
}
