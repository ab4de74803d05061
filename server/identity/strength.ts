// Which new passwords are refused: the short ones, and those that a list of guesses would reach. No
// rule of composition: length and surprise are what count (NIST SP 800-63B, ASVS 6.2).
import { Problem } from "#contract/errors.ts";
import { password as limits } from "#contract/limits.ts";
import { commonWords } from "./blocklist.ts";

/** What is known of the person, and therefore tried first by whoever guesses. */
export interface Known {
  name?: string;
  email?: string | null;
  phonenumber?: string | null;
  cardnumbers?: readonly number[];
}

const runs = [
  "0123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1a2z3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "a1z2e3r4t5y6u7i8o9p0",
].flatMap((run) => [run, run.split("").toReversed().join("")]);

/** Characters that must be left once all that is guessable is taken away. */
const surprise = 5;

/** Refuses `password_too_short` below 12 characters, `password_too_common` when it can be guessed. */
export function requireStrongPassword(password: string, known: Known = {}): void {
  const composed = password.normalize("NFC");
  if (Array.from(composed).length < limits.shortest) throw new Problem("password_too_short");
  const plain = unaccented(composed);
  const own = personalWords(known);
  const readings = [plain, unleet(plain)];
  if (readings.some((reading) => remainder(reading, [...own, ...commonWords]) < surprise)) {
    throw new Problem("password_too_common", { cause: causeOf(readings, own) });
  }
}

/** What of a password is guessed first, in the words of the refusal. */
function causeOf(readings: readonly string[], own: readonly string[]): string {
  const holds = (words: readonly string[]) =>
    readings.some((reading) => words.some((word) => reading.includes(word)));
  if (holds(own)) return "il contient votre nom, votre adresse ou un de vos numéros";
  if (holds(commonWords.filter((word) => word.length > 3))) return "il est fait de mots courants";
  return "il est fait de suites ou de répétitions";
}

const unaccented = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "");

const leet: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "€": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  "5": "s",
  $: "s",
  "7": "t",
};
const unleet = (text: string): string =>
  text.replaceAll(/[@4310!5$7€]/g, (sign) => leet[sign] ?? sign);

function personalWords({ name = "", email, phonenumber, cardnumbers = [] }: Known): string[] {
  const typed = [
    ...unaccented(name).split(/[^a-z]+/),
    ...unaccented(email ?? "").split(/[^a-z0-9]+/),
    ...(phonenumber ? [phonenumber.slice(-9)] : []),
    ...cardnumbers.map(String),
  ];
  return typed.filter((word) => word.length >= 3).sort((a, b) => b.length - a.length);
}

/** How many different characters stay once known words, runs and years are gone. */
function remainder(password: string, words: readonly string[]): number {
  let left = password;
  for (const word of words) left = left.replaceAll(word, " ");
  left = left
    .replaceAll(/(19|20)\d\d/g, " ")
    .replaceAll(/[\s\p{P}$+<=>^`|~]+/gu, " ")
    .split(" ")
    .map(withoutRuns)
    .join("");
  return new Set(left).size;
}

/** Three neighbours and more of the alphabet, the digits or the keyboard leave nothing. */
function withoutRuns(text: string): string {
  let kept = "";
  for (let start = 0; start < text.length;) {
    let length = 1;
    while (start + length < text.length && isRun(text.slice(start, start + length + 1))) length++;
    if (length < 3) kept += text.slice(start, start + length);
    start += length;
  }
  return kept;
}

const isRun = (piece: string): boolean => runs.some((run) => run.includes(piece));
