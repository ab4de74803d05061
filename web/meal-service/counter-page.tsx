// « Guichet de cantine »: the meals of the day handed by camera, number or list, with or without network.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { parisDay } from "#contract/days.ts";
import { isServing } from "#contract/kitchen/service-day.ts";
import { paths } from "#contract/paths.ts";
import { FrozenCanteens } from "#web/kitchen/frozen-canteens.tsx";
import { answerOptions, useAnswer } from "#web/app/transport/answers.ts";
import { noteAnswer, useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { KioskButton } from "#web/app/shared/kiosk.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ClosedToRole } from "#web/app/shared/closed-to-role.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Counter } from "./counter.tsx";
import {
  asksForDecision,
  currentReading,
  dayList,
  dismiss,
  keepList,
  openStoredList,
  send,
} from "./counter-state.ts";
import { keepPhotos, openStoredPhotos } from "./counter-photos.ts";
import { canteenToOpen, withServices } from "./opening-canteen.ts";
import { openStoredScans } from "./scan-queue.ts";
import { ServiceLine } from "./service-line.tsx";
import { useTime } from "./use-time.ts";

const refreshMs = 60_000;
/** A screen that stays open for days finds the services of each day. */
const servicesEveryMs = 60 * refreshMs;
/** While something waits to be sent, or for the server to answer again. */
const sendEveryMs = 10_000;

export function CounterPage() {
  const [isReady, setIsReady] = useState(false);
  const list = useObserved(dayList);
  const hasRead = useObserved(currentReading) !== null;
  const online = useOnline();
  const cut = useServerUnreachable();
  const now = useTime();
  useEffect(() => {
    void Promise.all([openStoredList(), openStoredScans(), openStoredPhotos()]).then(() =>
      setIsReady(true),
    );
  }, []);
  useEffect(() => {
    if (!isReady || !online) return;
    void send();
    const timer = setInterval(() => void send(), sendEveryMs);
    return () => clearInterval(timer);
  }, [isReady, online]);
  useEffect(
    // Whoever comes back finds what still asks for a decision, no verdict of before.
    () => () => {
      const reading = currentReading.get();
      if (reading && !asksForDecision(reading)) dismiss(reading);
    },
    [],
  );
  const own = useAnswer(api.canteen.ownCanteens, {}, { enabled: isReady && online });
  const items = own.data?.items ?? [];
  const isClosed = items.length > 0 && own.data?.opens.counter === false;
  const hasChoice = items.length > 1 && !isClosed;
  const services = useAnswer(
    api.canteen.nextServices,
    {},
    { enabled: online && hasChoice, pollMs: servicesEveryMs },
  );
  const canteens = withServices(items, services.data?.items ?? []);
  const [{ canteen: canteenParam, mode }, change] = useSearchParameters<"mealCounter">();
  const isAlone = mode === "guichet";
  const place = useFocusAtStep(canteenParam ?? "");
  const chosen = canteens.find(({ id: one }) => one === canteenParam)?.id;
  const [opened, setOpened] = useState<string>();
  const hasServices = !hasChoice || services.data !== undefined || services.isError;
  const isKnown = isReady && items.length > 0 && hasServices;
  // Once: a list that changes under a finger serves the wrong child. So the list by which somebody was read stays.
  if (opened === undefined && list && hasRead) setOpened(list.canteen.id);
  else if (opened === undefined && isKnown) {
    setOpened(canteenToOpen(canteens, { stored: list?.canteen.id, now }));
  }
  const id = chosen ?? opened ?? list?.canteen.id ?? null;
  const fresh = useQuery({
    ...answerOptions(api.canteen.dayList, { canteen: id ?? "" }),
    enabled: isReady && online && id !== null && !isClosed,
    refetchInterval: cut ? sendEveryMs : refreshMs,
    staleTime: 0,
  });
  const { dataUpdatedAt, error } = fresh;
  // An answer to an earlier visit knows nothing of the meals that were handed since. A read that failed leaves it there.
  const answer = fresh.isFetchedAfterMount && !fresh.isError ? fresh.data : undefined;
  useEffect(() => {
    if (error || dataUpdatedAt > 0) noteAnswer(error);
  }, [error, dataUpdatedAt]);
  useEffect(() => {
    if (!answer) return;
    void keepList(answer);
    void keepPhotos(answer);
  }, [answer]);
  const today = parisDay(now);
  // A list goes with its day, also where the screen stays open overnight, unless the server gave it today: the clock
  // of the device is ahead.
  const isOfToday = answer?.day === list?.day && parisDay(new Date(dataUpdatedAt)) >= today;
  const isOver = list !== null && list.day < today && (cut || !isOfToday);
  const shownList = !isClosed && !isOver && list?.canteen.id === id ? list : null;
  const elsewhere = cut ? undefined : canteens.find((one) => one.id !== id && isServing(one, now));
  const failed = own.isError ? own : fresh;
  return (
    <Page place={place}>
      <PageHeader
        title="Guichet de cantine"
        actions={
          // At once: what comes later would push the list down.
          !isClosed &&
          (!own.data || canteens.length > 0) && (
            <>
              {online && !isAlone && (!own.data || own.data.opens.followUp) && (
                <ButtonLink href={paths.canteenFollowUp} size="small" icon="calendar">
                  Suivi des repas
                </ButtonLink>
              )}
              <KioskButton
                isAlone={isAlone}
                enter="Mode guichet"
                leave="Quitter le mode guichet"
                onAlone={(alone) => change({ mode: alone ? "guichet" : undefined })}
              />
            </>
          )
        }
      />
      {isClosed && <ClosedToRole />}
      {own.data && canteens.length === 0 && (
        <EmptyState icon="meal" title="Vous ne tenez pas de cantine">
          Le guichet s’ouvre aux prestataires qui servent des repas, à qui y a ce rôle.
        </EmptyState>
      )}
      {shownList && (
        <>
          <FrozenCanteens canteens={[shownList.canteen]} />
          <ServiceLine
            list={shownList}
            canteens={cut ? [] : canteens}
            now={now}
            cut={cut}
            onCanteen={(canteen) => change({ canteen })}
          />
          <Counter
            list={shownList}
            now={now}
            elsewhere={
              elsewhere && (
                <Button wide onClick={() => change({ canteen: elsewhere.id })}>
                  Passer à {elsewhere.name}, ouvert jusqu’à {elsewhere.servesUntil}
                </Button>
              )
            }
          />
        </>
      )}
      {!shownList && !isClosed && failed.isError && (
        <ErrorState title="La liste du jour n’a pas pu être chargée." answer={failed} />
      )}
      {!shownList && !failed.isError && !online && isReady && (
        <EmptyState icon="wifiOff" title="La liste du jour n’est pas sur cet appareil">
          Ouvrez le guichet une fois avec le réseau, avant le service.
        </EmptyState>
      )}
      {!shownList &&
        !isClosed &&
        !failed.isError &&
        online &&
        (own.isPending || canteens.length > 0) && (
          <Section>
            <Loading label="Chargement de la liste du jour…">
              <Skeleton lines={4} height="4rem" />
            </Loading>
          </Section>
        )}
    </Page>
  );
}
