// The process that estimates how soon a password is guessed, by dictionaries, keyboards, runs and dates
// (@zxcvbn-ts): its dictionaries take 90 MB, which the server does not load.
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as french from "@zxcvbn-ts/language-fr";
import { answerTasks } from "#server/process/work-entry.ts";

export interface StrengthTask {
  password: string;
  /** Words of the person. */
  own: readonly string[];
  /** Words that an attacker tries as early. */
  others: readonly string[];
}

export interface Guessed {
  /** How many guesses find it, as a power of ten. */
  guesses: number;
  /** What the first guesses are made of. */
  cause: "own" | "words" | "runs";
}

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...french.dictionary },
  graphs: common.adjacencyGraphs,
});

/** Separators between or after words: a guess counts alike with and without them. */
const joiners = /[\s_.,;:!?'’/-]+/g;

answerTasks(async ({ password, own, others }: StrengthTask): Promise<Guessed> => {
  const known = [...own, ...others];
  const asTyped = zxcvbn.check(password, known);
  const joined = zxcvbn.check(password.replaceAll(joiners, ""), known);
  const { guessesLog10, sequence } = joined.guesses < asTyped.guesses ? joined : asTyped;
  const isOwn = sequence.some(
    ({ dictionaryName, matchedWord }) =>
      dictionaryName === "userInputs" && own.includes(String(matchedWord)),
  );
  const isWords = sequence.some(({ pattern }) => /dictionary|word/i.test(pattern));
  return { guesses: guessesLog10, cause: isOwn ? "own" : isWords ? "words" : "runs" };
});
