// French written forms of amounts, dates and numbers, shared by screens and PDF pages (spec §9).
// Instants are shown in the time of the scheme, whatever the clock of the device says.
import { groupDigits } from "./cardnumber.ts";
import { daysBetween, parisDay } from "./days.ts";
import { spec } from "./limits.ts";
import { plainText } from "./plain-text.ts";

const zone = "Europe/Paris";
/** Narrow no-break space, which French typography puts in amounts and before « ; : ! ? ». */
export const thin = "\u202f";

const amount = new Intl.NumberFormat("fr-FR", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const clock = new Intl.DateTimeFormat("fr-FR", {
  timeZone: zone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Integer cents as « 1 234,50 € »; `signed` writes a plus before what comes in. */
export function formatMoney(cents: number, options?: { signed?: boolean }): string {
  const sign = cents < 0 ? "\u2212" : options?.signed && cents > 0 ? "+" : "";
  const digits = amount.format(Math.abs(cents) / 100).replaceAll(/\s/g, thin);
  return `${sign}${sign ? thin : ""}${digits}${thin}€`;
}

// Whole euros, then the euro sign as the mark of decimals, or a comma or point, and the sign at the end.
const typedAmount =
  /^(?!€.*€)(?:€[ \u00a0\u2009\u202f]?)?(\d{1,7}|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3}){1,2})(?:€(\d\d)|(?:[.,](\d{0,2}))?(?:[ \u00a0\u2009\u202f]?€)?)$/;

/**
 * Parses an amount that a person typed, or a file holds, into integer cents; null when it is not one. A mark
 * of decimals has two digits after it at most, spaces stand between groups of three digits only, and the euro
 * sign before, after, or as the mark of decimals: what could be read in two ways is refused.
 */
export function parseMoney(typed: string): number | null {
  const [, whole, ofSign, ofMark] = typedAmount.exec(plainText(typed).trim()) ?? [];
  const euros = whole?.replaceAll(/\D/g, "");
  if (!euros || euros.length > 7) return null;
  return Number(euros) * 100 + Number((ofSign ?? ofMark ?? "").padEnd(2, "0"));
}

/** Integer cents as a field of an amount holds them: « 12 », « 12,50 ». */
export const formatTypedMoney = (cents: number): string =>
  (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2).replace(".", ",");

export type Moment = string | Date;

function partsOf(moment: Moment): Record<string, string> {
  const parts = clock.formatToParts(new Date(moment));
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** DD/MM/YYYY. A bare day (`2026-11-21`) is written as it is, without any time zone. */
export function formatDate(moment: Moment): string {
  const day = typeof moment === "string" ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(moment) : null;
  if (day) return `${day[3]}/${day[2]}/${day[1]}`;
  const parts = partsOf(moment);
  return `${parts.day}/${parts.month}/${parts.year}`;
}

/** HH:mm, on a clock of 24 hours. */
export function formatTime(moment: Moment): string {
  const parts = partsOf(moment);
  return `${parts.hour}:${parts.minute}`;
}

const dayInWords = new Intl.DateTimeFormat("fr-FR", {
  timeZone: "Europe/Paris",
  weekday: "long",
  day: "numeric",
  month: "long",
});

/** « samedi 5 décembre », « mardi 1er décembre », where the scheme is. */
export const formatDayInWords = (moment: Moment): string =>
  dayInWords.format(new Date(moment)).replace(" 1 ", " 1er ");

const monthInWords = new Intl.DateTimeFormat("fr-FR", { timeZone: "UTC", month: "long" });

/** « novembre 2026 », of the month of a day. */
export const formatMonth = (day: string): string =>
  `${monthInWords.format(new Date(day))} ${day.slice(0, 4)}`;

const shortMonth = new Intl.DateTimeFormat("fr-FR", { timeZone: "UTC", month: "short" });

/** « nov. », of the month of a day. */
export const formatShortMonth = (day: string): string => shortMonth.format(new Date(day));

/** « novembre », of the month of a day. */
export const monthName = (day: string): string => monthInWords.format(new Date(day));

/** A day that is only estimated: « mi-décembre », « début janvier 2027 » once the year is another. */
export function formatAbout(day: string, today: string): string {
  const date = Number(day.slice(8));
  const part = date <= 10 ? "début " : date <= 20 ? "mi-" : "fin ";
  const year = day.slice(0, 4) === today.slice(0, 4) ? "" : ` ${day.slice(0, 4)}`;
  return `${part}${monthInWords.format(new Date(day))}${year}`;
}

const shortDay = new Intl.DateTimeFormat("fr-FR", {
  timeZone: zone,
  weekday: "short",
  day: "numeric",
  month: "short",
});

/** « lun. 4 janv. », « mar. 1er déc. » of an ISO date. */
export const formatShortDay = (day: string): string =>
  shortDay.format(new Date(`${day}T12:00:00Z`)).replace(" 1 ", " 1er ");

const weekdayShort = new Intl.DateTimeFormat("fr-FR", { timeZone: "UTC", weekday: "short" });

/** « lun. » of an ISO date. */
export const shortWeekday = (day: string): string => weekdayShort.format(new Date(day));

/**
 * A day as people say it: « aujourd’hui », « hier », « demain », « mar. 1er déc. »; DD/MM/YYYY of
 * another year. Takes an instant or a bare day.
 */
export function spokenDay(moment: Moment, now = new Date()): string {
  const day =
    typeof moment === "string" && moment.length === 10 ? moment : parisDay(new Date(moment));
  const today = parisDay(now);
  const near = { "-1": "hier", "0": "aujourd’hui", "1": "demain" }[String(daysBetween(today, day))];
  if (near) return near;
  if (day.slice(0, 4) !== today.slice(0, 4)) return formatDate(day);
  return formatShortDay(day);
}

/** « jusqu’à demain », « jusqu’au mar. 1er déc. »; « jusqu’à hier » of what is over. */
export function untilDay(moment: Moment, now = new Date()): string {
  const day = spokenDay(moment, now);
  return `jusqu’${/\d/.test(day) ? "au" : "à"} ${day}`;
}

/** DD/MM/YYYY HH:mm. */
export const formatDateTime = (moment: Moment): string =>
  `${formatDate(moment)} ${formatTime(moment)}`;

/** The marker of the half of the day as the specification writes it: PD before noon, MD after. */
export const meridiemOf = (moment: Moment): string =>
  spec.meridiem[Number(partsOf(moment).hour) < 12 ? 0 : 1];

interface PersonName {
  firstName: string;
  lastName: string;
}

/** « Léo Moreau »; a single name where one of the two is empty. */
export const joinedName = ({ firstName: first, lastName: last }: PersonName): string =>
  [first, last].filter((part) => part !== "").join(" ");

/**
 * « Léo » of « Léo Moreau », with as many words as it takes to tell who else is `among` them: « Léo Petit ».
 */
export function firstName(name: string, among: Iterable<string> = []): string {
  const words = name.split(" ");
  const begin = (whole: string, count: number) =>
    whole.toLowerCase().split(" ").slice(0, count).join(" ");
  const others = [...among].filter((other) => other !== name);
  let count = 1;
  while (
    count < words.length &&
    others.some((other) => begin(other, count) === begin(name, count))
  ) {
    count++;
  }
  return words.slice(0, count).join(" ");
}

/** « Lundi 7 décembre » of « lundi 7 décembre ». */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Vowels, « Yves » but not « Yanis », and the h that most names do not say before these. */
const elided = /^(?:[aeiouàâéèêëîôœ]|y[^aeiouéè]|h[eéo])/i;

/** « de Camille », « d’Alice », « d’Hélène », « de Hassan ». */
export const ofName = (name: string): string => (elided.test(name) ? `d’${name}` : `de ${name}`);

/** « Léo M. » of « Léo Moreau ». */
export function shortName(name: string): string {
  const [first = name, next] = name.split(" ").filter(Boolean);
  return next ? `${first} ${Array.from(next)[0]?.toLocaleUpperCase("fr")}.` : first;
}

/** A text that somebody wrote, each guillemet bound to the word that it encloses. */
export const bindGuillemets = (text: string): string =>
  text.replaceAll("« ", "«\u00a0").replaceAll(" »", "\u00a0»");

/** A card number as people read it aloud: « 1000 000 016 ». Takes what is typed so far too. */
export const formatCardnumber = (number: number | string): string =>
  groupDigits(String(number).replaceAll(/\D/g, ""));

/** A whole number with French grouping: « 12 480 ». */
export const formatCount = (count: number): string =>
  count.toLocaleString("fr-FR").replaceAll(/\s/g, thin);

/** « 820 ko », « 1,4 Mo ». */
export function formatBytes(bytes: number): string {
  const kilo = Math.max(1, Math.round(bytes / 1024));
  if (kilo < 1000) return `${kilo}${thin}ko`;
  return `${(kilo / 1024).toLocaleString("fr-FR", { maximumFractionDigits: 1 })}${thin}Mo`;
}

/** « l’autre », « les 4 autres repas »: what a shortened list leaves out. */
export const theOthers = (count: number, one = "autre", many = `${one}s`): string =>
  count === 1 ? `l’${one}` : `les ${formatCount(count)} ${many}`;

/** « 3,45 € recrédités », « 1,72 € recrédité »: the plural begins at two euros. */
export const formatCredited = (cents: number): string =>
  `${formatMoney(cents)} ${cents < 200 ? "recrédité" : "recrédités"}`;

/** « 10,00 € envoyés », « 1,50 € envoyé ». */
export const formatSent = (cents: number): string =>
  `${formatMoney(cents)} ${cents < 200 ? "envoyé" : "envoyés"}`;

/** « 3,45 € restent dus », « 1,73 € reste dû ». */
export const formatStillDue = (cents: number): string =>
  `${formatMoney(cents)} ${cents < 200 ? "reste dû" : "restent dus"}`;

/** « 1 repas », « 2 repas », « 0 billet »: French counts zero and one alike. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${Math.abs(count) < 2 ? one : many}`;

/** « Caisse, guichet et cuisine ». */
export const listInWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} et ${words.at(-1)}`;
