// What a list of pro cards says of them: how they are sorted into chips, found, and told.
import type { ProCard } from "#contract/companies/pro-cards.ts";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import { formatMoney } from "#contract/french.ts";
import type { Tone } from "#web/ui/banner.tsx";

export type ProCardKind = "a-attribuer" | "en-service" | "suspendues" | "en-route" | "arretees";

/** The chips, in the order in which they ask for something. */
export const kinds: readonly { value: ProCardKind; label: string }[] = [
  { value: "a-attribuer", label: "À attribuer" },
  { value: "en-service", label: "En service" },
  { value: "suspendues", label: "Suspendues" },
  { value: "en-route", label: "En route" },
  { value: "arretees", label: "Arrêtées" },
];

/** Under which chip a card stands. */
export function kindOf(card: Pick<ProCard, "name" | "state">): ProCardKind {
  if (cardCan.assign(card)) return card.name === null ? "a-attribuer" : "en-route";
  if (cardCan.spend(card)) return "en-service";
  return card.state === "suspended" ? "suspendues" : "arretees";
}

export const tones: Readonly<Record<CardState, Tone | "neutral">> = {
  requested: "neutral",
  approved: "neutral",
  in_production: "info",
  shipped: "info",
  received: "info",
  active: "success",
  suspended: "warning",
  opposed: "danger",
  damaged: "warning",
  expired: "danger",
  replaced: "neutral",
};

const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether words, or digits of any of its numbers, name the card. */
export function foundIn(card: ProCard, words: string): boolean {
  const numbers = [card.cardnumber, ...card.former, card.replacement?.cardnumber ?? ""].map(String);
  const digits = words.replaceAll(/\s/g, "");
  if (/^\d+$/.test(digits)) return numbers.some((number) => number.includes(digits));
  return plain(words)
    .split(/\s+/)
    .every((word) => plain(card.name ?? "à attribuer").includes(word));
}

/** « 30 € par jour, 120 € par semaine, restauration seulement ». */
export function limitsOf({ dayCents, weekCents, places }: ProCard): string {
  const parts = [
    dayCents === null ? null : `${formatMoney(dayCents)} par jour`,
    weekCents === null ? null : `${formatMoney(weekCents)} par semaine`,
    places === null ? null : `${places.join(", ")} seulement`,
  ].filter((part) => part !== null);
  return parts.join(", ");
}
