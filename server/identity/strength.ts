// Which new passwords are refused: the short ones, and those found early by a guessing attack. No rule of
// composition: length and unpredictability count (NIST SP 800-63B, ASVS 6.2).
import { Problem } from "#contract/errors.ts";
import { password as limits } from "#contract/limits.ts";
import { WorkFailed, workProcess } from "#server/process/work-process.ts";
import type { Guessed, StrengthTask } from "./strength-worker.ts";

/** Facts about the person, which an attacker tries first. */
export interface Known {
  name?: string;
  email?: string | null;
  phonenumber?: string | null;
  cardnumbers?: readonly number[];
}

/**
 * Guesses that a password must withstand, as a power of ten: a year's, where each costs a hash of Argon2id.
 */
const minGuesses = 9;

/** Words of this portal: attackers try them like a person's own. */
const portalWords = ["macarte", "ma-carte", "ma carte", "carte", "cagnotte", "cantine", "demo"];

// A password of unusual characters may take half a second: not in the server's process.
const estimate = workProcess<StrengthTask, Guessed>(
  new URL("strength-worker.ts", import.meta.url),
  {
    atOnce: 1,
    waiting: 60,
    timeoutMs: 10_000,
    idleMs: 120_000,
    attempts: 2,
  },
);

/**
 * Refuses `password_too_short` below 12 characters, `password_too_common` when fewer than a thousand million
 * guesses reach it. `of` whom: estimates of one person take turns with those of others.
 */
export async function requireStrongPassword(
  password: string,
  known: Known = {},
  of?: number,
): Promise<void> {
  const composed = password.normalize("NFC");
  if (Array.from(composed).length < limits.shortest) throw new Problem("password_too_short");
  const own = personalWords(known);
  const task = { password: unaccented(composed), own, others: portalWords };
  const { guesses, cause } = await estimate(task, of).catch((error: unknown) => {
    throw error instanceof WorkFailed ? new Problem("unavailable") : error;
  });
  if (guesses < minGuesses) throw new Problem("password_too_common", { cause: causes[cause] });
}

/** What of a password is guessed first, for the refusal. */
const causes: Readonly<Record<Guessed["cause"], string>> = {
  own: "il contient votre nom, votre adresse ou un de vos numéros",
  words: "il est fait de mots courants",
  runs: "il est fait de suites ou de répétitions",
};

const unaccented = (text: string): string => text.normalize("NFD").replaceAll(/\p{Mn}/gu, "");

/** The parts of a name and of an address, and every number, as a person would type them. */
function personalWords({ name = "", email, phonenumber, cardnumbers = [] }: Known): string[] {
  const typed = [
    ...unaccented(name.toLowerCase()).split(/[^a-z]+/),
    ...unaccented((email ?? "").toLowerCase()).split(/[^a-z0-9]+/),
    ...(phonenumber ? [phonenumber.slice(-9), `0${phonenumber.slice(-9)}`] : []),
    ...cardnumbers.map(String),
  ];
  return typed.filter((word) => word.length >= 3);
}
