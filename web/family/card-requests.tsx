// First cards asked for children: what waits, what was refused and why.
import { answerDelay } from "#contract/answer-delay.ts";
import { api } from "#contract/api.ts";
import type { CardRequest } from "#contract/cards/first-card-requests.ts";
import { formatDate, ofName } from "#contract/french.ts";
import { AnswerDelay } from "#web/app/shared/answer-delay.tsx";
import { placed } from "#web/app/shared/place.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Section } from "#web/ui/layout.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family.module.css";

/** Nothing without a request. */
export function CardRequests() {
  const requests = useAnswer(api.enrolment.list, {});
  if (requests.isError && !requests.data) {
    return (
      <Section title="Premières cartes demandées">
        <ErrorState title="Vos demandes n’ont pas pu être chargées." answer={requests} />
      </Section>
    );
  }
  if (!requests.data || requests.data.items.length === 0) return null;
  return (
    <Section title="Premières cartes demandées">
      <DividedList gap={4}>
        {requests.data.items.map((one) => (
          <li key={one.id}>
            <RequestLine request={one} />
          </li>
        ))}
      </DividedList>
    </Section>
  );
}

function RequestLine({ request }: { request: CardRequest }) {
  const { id, name, bornOn, state, reason, requestedAt } = request;
  const withdraw = useAction(() => call(api.enrolment.withdraw, { id }), {
    says: ({ message }) => message,
  });
  const open = state === "open";
  return (
    <div
      className={styles.invitation}
      {...placed("firstCard", id, `Première carte ${ofName(name)}`)}
    >
      <div className={styles.memberWords}>
        <Text weight="strong" breakWord>
          {name}
        </Text>
        <Text tone="soft" size="fine">
          Naissance le {formatDate(bornOn)}, demandée le {formatDate(requestedAt)}.
          {reason && ` Refusée : ${reason}`}
        </Text>
        <Text tone="soft" size="fine">
          {open ? (
            <AnswerDelay what="firstCard" requestedAt={requestedAt} />
          ) : (
            `Vous pouvez faire une autre demande : vous recevrez une réponse ${answerDelay("firstCard")}.`
          )}
        </Text>
      </div>
      <Actions gap={8}>
        <Badge tone={open ? "info" : "danger"}>{open ? "En attente" : "Refusée"}</Badge>
        {open && (
          <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.send()}>
            Retirer
            <span className="unseen"> la demande pour {name}</span>
          </Button>
        )}
      </Actions>
      <ProblemBanner problem={withdraw.problem} title="La demande n’a pas été retirée." />
    </div>
  );
}
