import { expect, test } from "vitest";
import type { ServiceFacts } from "#contract/portal/home.ts";
import { factOf } from "./service-facts.ts";

const now = Date.parse("2026-11-21T17:50:20Z");
const nothing: ServiceFacts = {
  balanceCents: null,
  subscribedUntil: null,
  tickets: null,
  pass: null,
  partners: 0,
};
const fact = (screen: Parameters<typeof factOf>[0], known: Partial<ServiceFacts>) =>
  factOf(screen, { ...nothing, ...known }, now)?.replaceAll(/\s/g, " ");

test("a tile tells what is known of the card, and nothing where nothing is", () => {
  const next = { line: "3", at: "2026-11-21T17:54:30Z", onRequest: false };
  const pass = { holder: null, lastOn: "2026-12-01", next };
  expect(fact("wallets", { balanceCents: 4370 })).toBe("43,70 €");
  expect(fact("subscription", { subscribedUntil: "2027-07-31" })).toBe("Jusqu’au 31/07/2027");
  expect(fact("tickets", { tickets: { count: 2, from: "2026-12-12T19:00:00Z" } })).toBe(
    "2 billets, sam. 12 déc.",
  );
  expect(fact("transit", { pass })).toBe("Ligne 3 dans 4 min");
  expect(fact("transit", { pass: { ...pass, next: { ...next, onRequest: true } } })).toBe(
    "Ligne 3 dans 4 min, sur réservation",
  );
  expect(fact("transit", { pass: { ...pass, holder: "Léo Moreau" } })).toBe(
    "Léo : Ligne 3 dans 4 min",
  );
  expect(fact("transit", { pass: { ...pass, next: null } })).toBe(
    "Titre valable jusqu’au 01/12/2026",
  );
  expect(fact("directory", { partners: 26 })).toBe("26 partenaires");
  for (const screen of [
    "wallets",
    "subscription",
    "tickets",
    "transit",
    "directory",
    "transport",
  ] as const)
    expect(fact(screen, {}) ?? null, screen).toBeNull();
});
