// Until when an answer was promised, and that it is late. Loaded apart: it counts working days, which no
// page needs at once.
import type { Answered } from "#contract/answer-delay.ts";
import { awaitedAnswer, awaitedFrom } from "#contract/awaited-answer.ts";
import { Banner } from "#web/ui/banner.tsx";

interface AnswerDelayProps {
  /** What was asked of the customer service, or the name of the parent who was asked. */
  what: Answered | { parent: string };
  requestedAt: string;
}

const of = ({ what, requestedAt }: AnswerDelayProps) =>
  typeof what === "string"
    ? awaitedAnswer(what, requestedAt, new Date())
    : awaitedFrom(what.parent, requestedAt, new Date());

export const AnswerDelayText = (awaited: AnswerDelayProps) => of(awaited).text;

export function AnswerDelayBanner(awaited: AnswerDelayProps) {
  const { text, isLate } = of(awaited);
  return isLate ? (
    <Banner tone="warning" title="Notre réponse est en retard">
      {text}
    </Banner>
  ) : (
    <Banner title="Nous avons bien reçu votre message">{text}</Banner>
  );
}
