// « À faire »: one line and one button for each thing, the worst harm of waiting first.
import { theOthers } from "#contract/french.ts";
import { lazy, Suspense, useState } from "react";
import type { Card } from "#contract/cards/rows.ts";
import { paths } from "#contract/paths.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import styles from "./to-do-list.module.css";
import type { ToDo } from "./to-do.ts";

// Few cards are suspended.
const ResumeButton = lazy(async () => ({
  default: (await import("#web/cards/resume-button.tsx")).ResumeButton,
}));
const ActivationDialog = lazy(async () => ({
  default: (await import("#web/cards/activation-dialog.tsx")).ActivationDialog,
}));

/** `topUp` is the path of the main wallet's recharge, null where there is none. */
export function ToDoList({
  list,
  card,
  topUp,
  initialCount,
}: {
  list: readonly ToDo[];
  card: Card | null;
  topUp: string | null;
  /** So many lines are shown at first: a list of seven is read by nobody. */
  initialCount: number;
}) {
  // The new card that was asked about last, and whether its dialog is open.
  const [activating, setActivating] = useState<{ cardnumber: number; open: boolean } | null>(null);
  const [whole, setWhole] = useState(false);
  if (list.length === 0 && !activating) return null;
  const more = list.length - initialCount;
  const visible = whole ? list : list.slice(0, initialCount);
  return (
    <Section title="À faire">
      <ul className={styles.toDos}>
        {visible.map((one) => (
          <li key={one.key} className={styles.toDo} data-tone={one.tone}>
            <Icon name={one.tone} />
            <div className={styles.toDoWords}>
              <p className={styles.toDoTitle}>{one.title}</p>
              <p className={styles.toDoText}>{one.text}</p>
            </div>
            <ToDoAction
              toDo={one}
              card={card}
              topUp={topUp}
              onActivate={(cardnumber) => setActivating({ cardnumber, open: true })}
            />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className={styles.toDoMore}>
          <Button
            kind="ghost"
            size="small"
            icon={whole ? "up" : "down"}
            aria-expanded={whole}
            onClick={() => setWhole(!whole)}
          >
            {whole ? "Voir moins" : `Voir ${theOthers(more)}`}
          </Button>
        </div>
      )}
      {activating && (
        <Suspense>
          <ActivationDialog
            {...activating}
            own={card?.relation === "self"}
            onClose={() => setActivating({ ...activating, open: false })}
          />
        </Suspense>
      )}
    </Section>
  );
}

function ToDoAction({
  toDo: { act, title },
  card,
  topUp,
  onActivate,
}: {
  toDo: ToDo;
  card: Card | null;
  topUp: string | null;
  onActivate: (cardnumber: number) => void;
}) {
  if (act?.kind === "resume" && card) {
    const label = (
      <>
        Réactiver<span className="unseen"> la carte</span>
      </>
    );
    const wait = (
      <Button size="small" disabled>
        {label}
      </Button>
    );
    return (
      <Suspense fallback={wait}>
        <ResumeButton cardnumber={card.cardnumber}>{label}</ResumeButton>
      </Suspense>
    );
  }
  if (act?.kind === "activate") {
    return (
      <Button size="small" onClick={() => onActivate(act.cardnumber)}>
        Activer<span className="unseen"> la carte</span>
      </Button>
    );
  }
  const way =
    act?.kind === "go"
      ? act
      : act?.kind === "topUp" && topUp
        ? { label: "Recharger", href: topUp }
        : act?.kind === "subscription"
          ? { label: "Renouveler", href: paths.subscription }
          : act?.kind === "profile"
            ? { label: "Compléter", href: paths.contactDetails }
            : null;
  if (!way) return null;
  return (
    <ButtonLink size="small" href={way.href}>
      {way.label}
      <span className="unseen">{`\u202f: ${title}`}</span>
    </ButtonLink>
  );
}
