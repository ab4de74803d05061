// How soon somebody is answered, to end a sentence with.
import { plural } from "./french.ts";
import { answerDelays } from "./limits.ts";

/** What the customer service answers. */
export type Answered = Exclude<keyof typeof answerDelays, "custody">;

/** « sous 5 jours ouvrés », to end a sentence with. */
export const answerDelay = (what: Answered): string =>
  `sous ${plural(answerDelays[what], "jour ouvré", "jours ouvrés")}`;
