// Conflicts: what counters of a canteen did, on any device, and the server found otherwise. In view from
// wherever one is on the screen, and resolved one by one, each with its effect on money.
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import type { ConflictAct, OpenConflict } from "#contract/meal-service/conflicts.ts";
import type { ScanConflict } from "#contract/meal-service/counter.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { useOnline } from "#web/app/transport/use-observed.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { storeScan } from "./scan-queue.ts";
import { useIsIdle } from "./use-is-idle.ts";
import styles from "./counter-conflicts.module.css";

const pollMs = 60_000;

const conflictsTitle = (count: number): string => `${plural(count, "passage")} à régler`;

/** The conflicts of a canteen that wait; none while they are not known. */
function useConflicts(canteen: string): readonly OpenConflict[] {
  const enabled = useOnline();
  const { data } = useAnswer(api.canteen.conflicts, { canteen }, { enabled, pollMs, atOnce: true });
  return data?.items ?? [];
}

function show(section: HTMLElement | null): void {
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}

export function Conflicts({ canteen }: { canteen: string }) {
  const items = useConflicts(canteen);
  const section = useRef<HTMLElement>(null);
  const isIdle = useIsIdle();
  const newest = items.map(({ id }) => id).join();
  const seen = useRef("");
  useEffect(() => {
    const isNew = items.some(({ id }) => !seen.current.includes(id));
    seen.current = newest;
    // While somebody presses, only the bar says it: a list that moves under a finger serves the wrong child.
    if (isNew && isIdle()) show(section.current);
  }, [items, newest, isIdle]);
  if (items.length === 0) return null;
  return (
    <>
      <div className={styles.bar}>
        <p role="alert">{conflictsTitle(items.length)}</p>
        <Button size="small" onClick={() => show(section.current)}>
          Voir
        </Button>
      </div>
      <section
        ref={section}
        tabIndex={-1}
        aria-label="Passages à régler"
        className={styles.conflicts}
      >
        {items.map((item) => (
          <Conflict key={item.id} canteen={canteen} item={item} />
        ))}
      </section>
    </>
  );
}

const conflictWords = ({ conflict, servedAt }: OpenConflict): string => {
  const words: Record<ScanConflict, string> = {
    served_elsewhere: `Servi aussi${servedAt ? ` à ${formatTime(servedAt)}` : ""} par un autre appareil. Rien n’est compté ni débité deux fois.`,
    opposed_since: "Carte opposée depuis. Le repas n’est ni compté ni débité.",
    cancelled_since: "Commande annulée depuis. Le repas n’est ni compté ni débité.",
    closed_day: "Pas de service ce jour-là. Le repas n’est ni compté ni débité.",
    unpaid: "La cagnotte ne peut pas payer ce repas. Rien n’est débité, il reste à encaisser.",
    undo_late:
      "Plus de 5 minutes ont passé\u202f: le passage n’est pas annulé, le repas reste débité.",
  };
  return words[conflict];
};

const actionWords = (act: ConflictAct, cents: number | null): string => {
  const price = cents === null ? "" : formatMoney(cents);
  const words: Record<ConflictAct, string> = {
    read: "J’ai vu, ne rien changer",
    count: `Compter le repas${price && `, ${price} de sa commande`}`,
    hold: `Débiter ${price} de sa cagnotte`,
    cash: `Payé en espèces${price && ` (${price})`}`,
  };
  return words[act];
};

function Conflict({ canteen, item }: { canteen: string; item: OpenConflict }) {
  const name = item.name ?? "Personne inconnue";
  const settle = useAction(
    (act: ConflictAct) => call(api.canteen.settleConflict, { canteen, scan: item.id, act }),
    {
      says: ({ message }) => `${name}\u202f: ${message}`,
      onDone: async ({ scan }) => {
        // Among those of the last five minutes, where it can be undone.
        if (scan) await storeScan({ canteen, name, scan, sent: true, result: { conflict: null } });
      },
    },
  );
  const acts = [...item.acts, { act: "read" as const, cents: null }];
  return (
    <Banner
      tone="warning"
      title={`${name}, ${spokenDay(item.at)} ${formatTime(item.at)}`}
      actions={acts.map(({ act, cents }) => (
        <Button
          key={act}
          size="small"
          loading={settle.isPending && settle.variables === act}
          disabled={settle.isPending && settle.variables !== act}
          onClick={() => settle.send(act)}
        >
          {actionWords(act, cents)}
          <span className="unseen"> pour {name}</span>
        </Button>
      ))}
    >
      {conflictWords(item)}
      <ProblemBanner problem={settle.problem} />
    </Banner>
  );
}

/** They are dealt with at the counter: the follow-up says that they wait. */
export function ConflictsWaiting({ canteen }: { canteen: string }) {
  const { length } = useConflicts(canteen);
  if (length === 0) return null;
  return (
    <Banner
      tone="warning"
      title={`Au guichet, ${conflictsTitle(length)}`}
      actions={
        <ButtonLink size="small" href={linkTo(paths.mealCounter, {}, { canteen })}>
          Régler
        </ButtonLink>
      }
    >
      Ce que le guichet a fait et ce que la cantine savait diffèrent.
    </Banner>
  );
}
