import { describe, expect, it } from "vitest";
import {
  limitsHint,
  maxTopUpCents,
  presetsOf,
  short,
  takesMore,
  wrongAmount,
} from "./top-up-limits.ts";

const wallet = { topUpMinCents: 500, topUpMaxCents: 50_000, capCents: 100_000, roomCents: 88_000 };
const nearlyFull = { ...wallet, roomCents: 4_250 };
const full = { ...wallet, roomCents: 499 };
const plain = (text: string | null) => text?.replaceAll("\u202f", " ");

describe("what may be added", () => {
  it("is the maximum of a top-up, or what is left before the cap", () => {
    expect([maxTopUpCents(wallet), maxTopUpCents(nearlyFull)]).toEqual([50_000, 4_250]);
    expect([takesMore(wallet), takesMore(nearlyFull), takesMore(full)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("offers only amounts that will be accepted", () => {
    expect(presetsOf(wallet)).toEqual([1000, 2000, 5000, 10_000]);
    expect(presetsOf(nearlyFull)).toEqual([1000, 2000]);
    for (const cents of presetsOf(nearlyFull)) expect(wrongAmount(cents, nearlyFull)).toBeNull();
  });

  it("is told before one is wrong, the cap only when it counts", () => {
    expect(plain(limitsHint(wallet))).toBe("De 5 € à 500 € par recharge.");
    expect(plain(limitsHint(nearlyFull))).toBe(
      "De 5 € à 42,50 € : une cagnotte ne dépasse pas 1 000 €.",
    );
  });
});

describe("an amount", () => {
  it("is right from the minimum to the maximum, both included", () => {
    expect([500, 50_000].map((cents) => wrongAmount(cents, wallet))).toEqual([null, null]);
    expect(wrongAmount(4_250, nearlyFull)).toBeNull();
  });

  it("that is refused says what to type instead", () => {
    expect(wrongAmount(null, wallet)).toContain("par exemple 20");
    expect(plain(wrongAmount(499, wallet))).toBe("Le montant minimal est de 5 €.");
    expect(plain(wrongAmount(50_001, wallet))).toBe(
      "Le montant maximal est de 500 € par recharge.",
    );
    expect(plain(wrongAmount(4_251, nearlyFull))).toBe(
      "Cette cagnotte ne peut pas dépasser 1 000 € : vous pouvez ajouter au plus 42,50 €.",
    );
  });

  it("is written without empty cents", () => {
    expect([short(2000), short(1250)].map(plain)).toEqual(["20 €", "12,50 €"]);
  });
});
