// The words for money that came: whose it is, and whether it can be spent now.
import { expect, test } from "vitest";
import type { Card } from "#contract/cards/rows.ts";
import { usableWords } from "./usable-words.ts";

const own = { relation: "self", name: "Camille Moreau", state: "active" } as Card;
const child = { ...own, relation: "child", name: "Léo Moreau" } as Card;

test("money that came is the holder's to use, not the guardian's who paid; never on a card that cannot pay", () => {
  expect(usableWords(own)).toBe("Vous pouvez vous en servir dès maintenant avec la carte.");
  expect(usableWords(child)).toBe("Léo peut s’en servir dès maintenant avec sa carte.");
  expect(usableWords({ ...child, state: "suspended" })).toBe(
    "L’argent servira quand la carte de Léo pourra de nouveau payer.",
  );
  expect(usableWords({ ...own, state: "opposed" })).toBe(
    "L’argent servira quand votre carte pourra de nouveau payer.",
  );
});
