// « À faire »: one line and one button for each thing, the worst harm of waiting first.
import { firstName, formatMoney, formatSent, theOthers } from "#contract/french.ts";
import { lazy, Suspense, useState } from "react";
import type { Card } from "#contract/cards/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { ReceivedRequest, SentAnswer } from "#web/funding/answer-request.tsx";
import { Actions } from "#web/ui/actions.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./to-do-list.module.css";
import type { ToDo } from "./to-do.ts";

// Few cards are suspended.
const ResumeButton = lazy(async () => ({
  default: (await import("#web/cards/resume-button.tsx")).ResumeButton,
}));
// Few children have just asked for money.
const AnswerRequest = lazy(async () => ({
  default: (await import("#web/funding/answer-request.tsx")).AnswerRequest,
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
  // What was sent from these lines, which are gone once they are answered.
  const [sent, setSent] = useState<readonly SentMoney[]>([]);
  if (list.length === 0 && !activating && sent.length === 0) return null;
  const more = list.length - initialCount;
  const visible = whole ? list : list.slice(0, initialCount);
  return (
    <Section title="À faire">
      <ul className={styles.toDos}>
        {sent.map((one) => (
          <SentLine key={one.transfer} sent={one} />
        ))}
        {visible.map((one) => (
          <li key={one.key} className={styles.toDo} data-tone={one.tone}>
            <Icon name={one.tone} />
            <div className={styles.toDoWords}>
              <p className={styles.toDoTitle}>{one.title}</p>
              <p className={styles.toDoText}>{one.text}</p>
            </div>
            {one.act?.kind === "moneyRequest" ? (
              <MoneyAnswer
                request={one.act.request}
                onSent={(answer) => setSent((before) => [...before, answer])}
              />
            ) : (
              <ToDoAction
                toDo={one}
                card={card}
                topUp={topUp}
                onActivate={(cardnumber) => setActivating({ cardnumber, open: true })}
              />
            )}
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

interface SentMoney extends SentAnswer {
  name: string;
}

/** The answer to a child's request, in the whole width below its words. */
function MoneyAnswer({
  request,
  onSent,
}: {
  request: ReceivedRequest;
  onSent: (sent: SentMoney) => void;
}) {
  return (
    <div className={styles.toDoAnswer}>
      <Suspense fallback={<AnswerWait amountCents={request.amountCents} />}>
        <AnswerRequest
          request={request}
          onSent={(answer) => onSent({ ...answer, name: request.name })}
        />
      </Suspense>
    </div>
  );
}

/** The place of an answer while its code loads, on as many lines: nothing below moves for it. */
const AnswerWait = ({ amountCents }: Pick<ReceivedRequest, "amountCents">) => (
  <div className={styles.toDoWait}>
    <Stack gap={8}>
      <Text size="fine">
        Depuis votre cagnotte principale&#8239;: il vous restera {formatMoney(amountCents)}.
      </Text>
      <Actions gap={8}>
        <Button size="small" icon="send">
          Envoyer {formatMoney(amountCents)}
        </Button>
        <Button kind="ghost" size="small">
          Autre montant
        </Button>
        <Button kind="ghost" size="small">
          Refuser
        </Button>
      </Actions>
    </Stack>
  </div>
);

/** What became of a request that was answered here, with the way to its receipt. */
const SentLine = ({ sent: { name, amountCents, balanceCents, transfer } }: { sent: SentMoney }) => (
  <li className={styles.toDo} data-tone="success">
    <Icon name="success" />
    <div className={styles.toDoWords}>
      <p className={styles.toDoTitle}>
        {formatSent(amountCents)} à {firstName(name)}
      </p>
      <p className={styles.toDoText}>Votre cagnotte contient {formatMoney(balanceCents)}.</p>
    </div>
    <ButtonLink size="small" href={linkTo(paths.transfer, {}, { transfer })}>
      Reçu<span className="unseen"> de l’envoi à {firstName(name)}</span>
    </ButtonLink>
  </li>
);

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
