// An answer that a person waits for: the day by which it was promised, and whether that day has passed.
import { answerDelay, type Answered } from "./answer-delay.ts";
import { addDays, parisDay } from "./days.ts";
import { formatDate, plural } from "./french.ts";
import { answerDelays } from "./limits.ts";
import { workingDaysAfter } from "./working-days.ts";

export interface AwaitedAnswer {
  /** The day in Paris before whose end an answer was promised. */
  day: string;
  isLate: boolean;
  /** The sentence for the screen. */
  text: string;
}

/** The answer expected to a request made at an instant (ISO). */
export function awaitedAnswer(what: Answered, requestedAt: string, now: Date): AwaitedAnswer {
  const day = workingDaysAfter(parisDay(new Date(requestedAt)), answerDelays[what]);
  const isLate = parisDay(now) > day;
  const text = isLate
    ? `La réponse était prévue pour le ${formatDate(day)}. Elle est en retard, nous nous en excusons.`
    : `Vous recevrez une réponse ${answerDelay(what)}, le ${formatDate(day)} au plus tard.`;
  return { day, isLate, text };
}

/** The answer expected from another parent, by name, to a custody proposal made at an instant (ISO). */
export function awaitedFrom(name: string, requestedAt: string, now: Date): AwaitedAnswer {
  const day = addDays(parisDay(new Date(requestedAt)), answerDelays.custody);
  const isLate = parisDay(now) > day;
  const text = isLate
    ? `${name} n’a pas répondu dans les ${plural(answerDelays.custody, "jour")}. Vous pouvez retirer la proposition et en faire une autre.`
    : `Une réponse de ${name} est attendue sous ${plural(answerDelays.custody, "jour")}, le ${formatDate(day)} au plus tard.`;
  return { day, isLate, text };
}
