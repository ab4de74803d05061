// Response times in French, as the end of a sentence.
import { plural } from "./french.ts";
import { answerDelays } from "./limits.ts";

/** Requests that the operator answers; a custody proposal is answered by another parent. */
export type Answered = Exclude<keyof typeof answerDelays, "custody">;

/** « sous 5 jours ouvrés », as the end of a sentence. */
export const answerDelay = (what: Answered): string =>
  `sous ${plural(answerDelays[what], "jour ouvré", "jours ouvrés")}`;
