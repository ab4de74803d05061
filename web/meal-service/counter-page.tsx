// « Guichet de cantine »: the meals of the day handed by camera, number or list, with or without network.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { serviceDayFrom } from "#contract/kitchen/service-day.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { todayInParis, weekdayOf } from "#contract/days.ts";
import { formatTime, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { answerOptions, useAnswer } from "#web/app/transport/answers.ts";
import { noteAnswer, useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { ClosedToRole } from "#web/app/shared/closed-to-role.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Counter } from "./counter.tsx";
import { dayList, keepList, openStoredList, send } from "./counter-state.ts";
import { FrozenCanteens } from "#web/kitchen/frozen-canteens.tsx";
import { keepPhotos, openStoredPhotos } from "./counter-photos.ts";
import { storedScans, openStoredScans } from "./scan-queue.ts";
import styles from "./counter.module.css";

const refreshMs = 60_000;
/** While something waits to be sent, or for the server to answer again. */
const sendEveryMs = 10_000;

export function CounterPage() {
  const [isReady, setIsReady] = useState(false);
  const list = useObserved(dayList);
  const online = useOnline();
  const cut = useServerUnreachable();
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
  const own = useAnswer(api.canteen.ownCanteens, {}, { enabled: isReady && online });
  const [chosen, setChosen] = useState<string | null>(null);
  const canteens = own.data?.items ?? [];
  const [{ canteen: canteenParam }] = useSearchParameters<"mealCounter">();
  const fromAddress = canteens.find((one) => one.id === canteenParam)?.id;
  const id = chosen ?? fromAddress ?? list?.canteen.id ?? nextServing(canteens)?.id ?? null;
  const isClosed = canteens.length > 0 && own.data?.opens.counter === false;
  const fresh = useQuery({
    ...answerOptions(api.canteen.dayList, { canteen: id ?? "" }),
    enabled: isReady && online && id !== null && !isClosed,
    refetchInterval: cut ? sendEveryMs : refreshMs,
  });
  const { dataUpdatedAt, error } = fresh;
  useEffect(() => {
    if (error || dataUpdatedAt > 0) noteAnswer(error);
  }, [error, dataUpdatedAt]);
  useEffect(() => {
    if (!fresh.data) return;
    void keepList(fresh.data);
    void keepPhotos(fresh.data);
  }, [fresh.data]);
  const shownList = !isClosed && list?.canteen.id === id ? list : null;
  const failed = own.isError ? own : fresh;
  return (
    <Page narrow>
      <PageHeader
        title="Guichet de cantine"
        actions={
          // At once: what comes later would push the list down.
          online &&
          (!own.data || (canteens.length > 0 && own.data.opens.followUp)) && (
            <ButtonLink href={paths.canteenFollowUp} size="small" icon="calendar">
              Suivi des repas
            </ButtonLink>
          )
        }
      />
      {canteens.length > 1 && (
        <Select
          label="Restaurant"
          value={id ?? ""}
          options={canteens.map(({ id: value, name }) => ({ value, label: name }))}
          onValue={setChosen}
        />
      )}
      {isClosed && <ClosedToRole />}
      {own.data && canteens.length === 0 && (
        <EmptyState icon="meal" title="Vous ne tenez pas de cantine">
          Le guichet s’ouvre aux prestataires qui servent des repas, à qui y a ce rôle.
        </EmptyState>
      )}
      {shownList && <FrozenCanteens canteens={[shownList.canteen]} />}
      {shownList?.closedWhy && (
        <Banner tone="warning" title="Fermé aujourd’hui">
          {shownList.closedWhy}. Les repas qui sont commandés se servent. Un repas sans commande
          n’est ni servi ni débité.
        </Banner>
      )}
      {shownList && <State list={shownList} cut={cut} />}
      {shownList && <Counter list={shownList} />}
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

/** The canteen that serves today, or the soonest after: the first by name where several do. */
function nextServing(canteens: readonly OwnCanteen[]): OwnCanteen | undefined {
  const weekday = weekdayOf(serviceDayFrom(todayInParis(), canteens));
  return canteens.find(({ weekdays }) => weekdays.includes(weekday)) ?? canteens[0];
}

/** How far the service is, how old the list, and what waits to be sent. */
function State({ list, cut }: { list: DayList; cut: boolean }) {
  const waiting = useObserved(storedScans).filter(({ sent }) => !sent).length;
  const orders = list.people.filter(({ order }) => order);
  const served = orders.filter(({ order }) => order?.state === "served").length;
  return (
    <p className={styles.state}>
      <span>
        <strong>
          {plural(served, "servi", "servis")} sur {orders.length}
        </strong>{" "}
        · liste de {formatTime(list.at)}
      </span>
      {cut && <Badge icon="wifiOff">Hors ligne</Badge>}
      {waiting > 0 && <Badge tone="warning">{plural(waiting, "passage")} à envoyer</Badge>}
    </p>
  );
}
