// The counter itself: the frame of camera and verdict, the day's list, what may still be undone, and the
// conflicts.
import { lazy, type ReactNode, Suspense } from "react";
import { isServing, nextServiceAfter } from "#contract/kitchen/service-day.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { formatTime, ofName, spokenDay } from "#contract/french.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { CounterFrame } from "./counter-frame.tsx";
import { currentReading, undo } from "./counter-state.ts";
import { DayPeople } from "./day-people.tsx";
import { focusPerson } from "./person-row.tsx";
import { canUndo, type StoredScan, storedScans } from "./scan-queue.ts";
import styles from "./counter.module.css";

// Not needed to serve: the first name of a queue does not wait for it.
const Conflicts = lazy(async () => ({
  default: (await import("./counter-conflicts.tsx")).Conflicts,
}));

/** `elsewhere` leads to another canteen that serves now, where this one does not. */
export function Counter({
  list,
  now,
  elsewhere,
}: {
  list: DayList;
  now: Date;
  elsewhere?: ReactNode;
}) {
  const times = { ...list.canteen, serviceDays: list.serviceDays };
  const serves = isServing(times, now);
  return (
    <>
      <Suspense fallback={null}>
        <Conflicts canteen={list.canteen.id} />
      </Suspense>
      <div className={styles.panes}>
        {serves ? (
          <CounterFrame isServing words="Présentez une carte ou choisissez un nom." />
        ) : (
          <CounterFrame
            isServing={false}
            words={<span className={styles.noService}>Pas de service en ce moment.</span>}
            help={
              <>
                <span>{nextWords(nextServiceAfter(times, now), times.servesFrom, now)}</span>
                {list.closedWhy !== null && (
                  <span>
                    {list.closedWhy}. Les repas commandés sont servis. Un repas sans commande n’est
                    ni servi ni débité.
                  </span>
                )}
              </>
            }
            action={elsewhere}
          />
        )}
        <Stack>
          <DayPeople list={list} />
          <Recent />
        </Stack>
      </div>
    </>
  );
}

/** « Prochain : demain 11:45. » */
const nextWords = (day: string | null, servesFrom: string, now: Date): string =>
  day === null
    ? "Aucun service n’est prévu dans les prochains mois."
    : `Prochain\u202f: ${spokenDay(day, now)} ${servesFrom}.`;

/** What was handed in the last five minutes, without the scan in view: it is undone there. */
function Recent() {
  const shown = useObserved(currentReading)?.scan.id;
  const items = useObserved(storedScans).filter((item) => canUndo(item) && item.scan.id !== shown);
  if (items.length === 0) return null;
  const undoOne = (item: StoredScan) => {
    void undo(item);
    // The line goes: the keyboard is at the name.
    if (item.scan.registration) focusPerson(item.scan.registration, { preventScroll: true });
  };
  return (
    <Section title="Cinq dernières minutes">
      <DividedList>
        {items.map((item) => (
          <li key={item.scan.id} className={styles.recent}>
            <span>
              <strong>{item.name}</strong>{" "}
              <Text as="span" tone="soft">
                {formatTime(item.scan.at)}
              </Text>
            </span>
            <Button size="small" onClick={() => undoOne(item)}>
              Annuler<span className="unseen"> le passage {ofName(item.name)}</span>
            </Button>
          </li>
        ))}
      </DividedList>
    </Section>
  );
}
