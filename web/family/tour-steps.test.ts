import { describe, expect, it } from "vitest";
import type { Member } from "#contract/family/rows.ts";
import type { CanteenProvider } from "#contract/meals/registrations.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import { tourDone, type TourFacts, tourSteps } from "./tour-steps.ts";

const provider = (people: string[], frozen = false) => ({ people, frozen }) as CanteenProvider;
const family = { members: [], received: [], sent: [], minor: false };
const facts = (more: Partial<TourFacts> = {}): TourFacts => ({
  card: { cardnumber: 1_000_000_057 } as Card,
  family,
  wallet: { balanceCents: 0, frozen: false } as Wallet,
  takesMoney: true,
  providers: [provider([])],
  ...more,
});

describe("tourSteps", () => {
  it("draws all four for an adult", () => {
    expect(tourSteps(facts())).toEqual(["carte", "enfant", "recharge", "cantine"]);
  });

  it("draws for a minor what a minor can do", () => {
    const minor = { ...family, minor: true };
    expect(tourSteps(facts({ family: minor }))).toEqual(["carte", "recharge"]);
    const registered = facts({ family: minor, providers: [provider(["Léo Moreau"])] });
    expect(tourSteps(registered)).toEqual(["carte", "recharge", "cantine"]);
  });

  it("leads to no canteen that is not there, and to no payment that would be refused", () => {
    expect(tourSteps(facts({ providers: [] }))).not.toContain("cantine");
    expect(tourSteps(facts({ providers: [provider([], true)] }))).not.toContain("cantine");
    expect(tourSteps(facts({ takesMoney: false }))).not.toContain("recharge");
    expect(tourSteps(facts({ wallet: null }))).not.toContain("recharge");
    const frozen = { balanceCents: 500, frozen: true } as Wallet;
    expect(tourSteps(facts({ wallet: frozen }))).not.toContain("recharge");
  });
});

describe("tourDone", () => {
  it("says nothing of what is still to do", () => {
    for (const step of tourSteps(facts())) expect(tourDone[step](facts())).toBeNull();
  });

  it("counts and names the children, not relatives", () => {
    const one = (name: string, relation: Member["relation"]) => ({ name, relation }) as Member;
    const members = [one("Léo Moreau", "child"), one("Ana Roux", "relative")];
    expect(tourDone.enfant(facts({ family: { ...family, members } }))).toBe(
      "1 enfant rattaché\u202f: Léo.",
    );
  });

  it("says what the wallet contains, and who is at the canteen", () => {
    const wallet = { balanceCents: 2500, frozen: false } as Wallet;
    expect(tourDone.recharge(facts({ wallet }))).toMatch(/contient 25,00\s€\./u);
    expect(tourDone.cantine(facts({ providers: [provider([]), provider(["Jade Moreau"])] }))).toBe(
      "Déjà à la cantine\u202f: Jade.",
    );
  });
});
