// « Garde »: with whom a child of two guardians is, what is agreed, and what waits for an answer.
import { lazy, Suspense, useState } from "react";
import { addDays, parisDay, todayInParis } from "#contract/days.ts";
import { api } from "#contract/api.ts";
import type { CustodyAgreement, CustodyView } from "#contract/family/custody.ts";
import { custodyWords, isRule } from "#contract/family/custody-words.ts";
import { capital, formatDate, ofName } from "#contract/french.ts";
import { weekOf } from "#contract/weeks.ts";
import { answerDelays } from "#contract/limits.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { placed } from "#web/app/shared/place.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CustodyCalendar } from "./custody-calendar.tsx";
import custodyStyles from "./custody.module.css";
import { calledOf, weekDaysOf } from "./custody-days.ts";

const ProposeDialog = lazy(async () => ({
  default: (await import("./custody-dialog.tsx")).ProposeDialog,
}));

interface Props {
  cardnumber: number;
  /** Whether the child has several guardians; nothing is asked nor shown otherwise. */
  shared: boolean;
}

export function CustodySection({ cardnumber, shared }: Props) {
  const custody = useAnswer(api.family.custody, { cardnumber }, { enabled: shared });
  const [dialog, setDialog] = useState<"never" | "open" | "closed">("never");
  const seen = custody.data;
  if (custody.isError && !seen && custody.error.code !== "not_found") {
    return (
      <Section title="Garde">
        <ErrorState title="La garde n’a pas pu être chargée." answer={custody} />
      </Section>
    );
  }
  if (shared && custody.isPending) {
    return (
      <Section title="Garde">
        <Loading label="Chargement de la garde…">
          <Skeleton height="29rem" />
        </Loading>
      </Section>
    );
  }
  if (!seen || seen.guardians.length < 2) return null;
  const called = calledOf(seen.guardians);
  const wordsOf = (one: CustodyAgreement) => inWords(one, called);
  return (
    <Section
      title="Garde"
      action={
        seen.canPropose && (
          <Button
            size="small"
            icon="calendar"
            aria-haspopup="dialog"
            onClick={() => setDialog("open")}
          >
            Proposer
            <span className="unseen"> une organisation de la garde</span>
          </Button>
        )
      }
    >
      <div className={custodyStyles.custody}>
        <Now seen={seen} called={called} />
        {seen.proposals.map((one) => (
          <Proposal key={one.id} proposal={one} words={wordsOf(one)} called={called} seen={seen} />
        ))}
        {(seen.rule || seen.planned.length > 0) && (
          <CustodyCalendar cardnumber={cardnumber} called={called} />
        )}
        {seen.planned.length > 0 && (
          <div>
            <Text as="h3" size="fine" weight="strong">
              Convenu pour la suite
            </Text>
            <ul className={custodyStyles.custodyPlanned}>
              {seen.planned.map((one) => (
                <li key={one.id}>{sentence(one, wordsOf(one))}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {dialog !== "never" && (
        <Suspense>
          <ProposeDialog
            cardnumber={cardnumber}
            seen={seen}
            open={dialog === "open"}
            onClose={() => setDialog("closed")}
          />
        </Suspense>
      )}
    </Section>
  );
}

const inWords = (one: CustodyAgreement, called: readonly string[]): string =>
  custodyWords(one, called[one.first] ?? "", called[one.second ?? -1] ?? "");

/** A rule says from when. */
const sentence = (one: CustodyAgreement, words: string): string =>
  isRule(one.kind) ? `À partir du ${formatDate(one.fromOn)} : ${words}.` : `${capital(words)}.`;

function Now({ seen, called }: { seen: CustodyView; called: readonly string[] }) {
  const today = todayInParis();
  const week = weekDaysOf(seen.days, today).filter(({ on }) => on >= today);
  const [first] = week;
  const whole = first !== undefined && week.every(({ guardian }) => guardian === first.guardian);
  const now = seen.days.find(({ on }) => on === today)?.guardian ?? null;
  if (!seen.rule && now === null) {
    return (
      <Text tone="soft" size="fine">
        Rien n’est convenu pour l’instant. L’un propose une organisation, l’autre l’accepte.
      </Text>
    );
  }
  return (
    <div>
      {now !== null && (
        <Text size="large" weight="strong">
          {whole
            ? `Semaine ${weekOf(today)} : semaine ${ofName(called[now] ?? "")}`
            : `Aujourd’hui avec ${called[now] ?? ""}`}
        </Text>
      )}
      {seen.rule && (
        <Text tone="soft" size="fine">
          {capital(inWords(seen.rule, called))}.
        </Text>
      )}
    </div>
  );
}

interface Waiting {
  proposal: CustodyAgreement;
  words: string;
  called: readonly string[];
  seen: CustodyView;
}

function Proposal({ proposal, words, called, seen }: Waiting) {
  const { id, proposedByMe } = proposal;
  const answer = useAction((word: "accept" | "decline" | "withdraw") => call(rows[word], { id }), {
    says: ({ message }) => message,
  });
  const other = called[seen.guardians.findIndex(({ own }) => !own)] ?? "";
  const pending = (word: typeof answer.variables) => answer.isPending && answer.variables === word;
  const from = isRule(proposal.kind) ? `, à partir du ${formatDate(proposal.fromOn)}` : "";
  return (
    <div className={custodyStyles.custodyProposal} {...placed("custody", id, "Garde proposée")}>
      <p>
        <strong>
          {proposedByMe ? "Vous proposez" : seen.canPropose ? `${other} propose` : "Proposé"}
        </strong>{" "}
        : {words}
        {from}.
      </p>
      {proposedByMe && (
        <Text tone="soft" size="fine">
          <AnswerDelay what={{ parent: other }} requestedAt={proposal.proposedAt} />
        </Text>
      )}
      {!proposedByMe && seen.canPropose && (
        <Text tone="soft" size="fine">
          Votre réponse est attendue le{" "}
          {formatDate(addDays(parisDay(new Date(proposal.proposedAt)), answerDelays.custody))} au
          plus tard.
        </Text>
      )}
      {seen.canPropose && (
        <Actions gap={8}>
          {proposedByMe ? (
            <Button size="small" loading={answer.isPending} onClick={() => answer.send("withdraw")}>
              Retirer<span className="unseen"> la proposition : {words}</span>
            </Button>
          ) : (
            <>
              <Button
                size="small"
                icon="check"
                loading={pending("accept")}
                disabled={pending("decline")}
                onClick={() => answer.send("accept")}
              >
                Accepter<span className="unseen"> la proposition : {words}</span>
              </Button>
              <Button
                size="small"
                loading={pending("decline")}
                disabled={pending("accept")}
                onClick={() => answer.send("decline")}
              >
                Refuser<span className="unseen"> la proposition : {words}</span>
              </Button>
            </>
          )}
        </Actions>
      )}
      <ProblemBanner problem={answer.problem} title="La réponse n’a pas été enregistrée." />
    </div>
  );
}

const rows = {
  accept: api.family.acceptCustody,
  decline: api.family.declineCustody,
  withdraw: api.family.withdrawCustody,
} as const;
