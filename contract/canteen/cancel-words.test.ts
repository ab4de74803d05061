import { expect, test } from "vitest";
import { cancelledWords, cancelQuestion, cancelTerms } from "./cancel-words.ts";

const cancelUntil = "2026-11-23T09:00:00.000Z";
const inTime = { priceCents: 345, cancelCostCents: 0, cancelUntil };
const half = { ...inTime, cancelCostCents: 173 };
const whole = { ...inTime, cancelCostCents: 345 };
const free = { ...inTime, priceCents: 0 };
const spaced = (words: string) => words.replaceAll(/[\u00a0\u202f]/g, " ");

test("a line says until when it is free, then what stays due, all of it in words", () => {
  expect([inTime, half, whole, free].map(cancelTerms).map(spaced)).toEqual([
    "Annulation gratuite jusqu’au 23/11/2026 10:00",
    "Délai d’annulation passé : 1,73 € reste dû",
    "Délai d’annulation passé : le repas reste dû",
    "Annulation sans frais",
  ]);
  expect(spaced(cancelTerms({ ...whole, cancelUntil: null }))).toBe(
    "Pas d’annulation gratuite : le repas reste dû",
  );
});

test("the question and what follows promise no money that does not come back", () => {
  const asked = [inTime, half, whole, free].map((meal) => spaced(cancelQuestion(meal, null)));
  expect(asked).toEqual([
    "Annulation gratuite, 3,45 € recrédités.",
    "Le délai est passé (23/11/2026 10:00) : 1,73 € reste dû, 1,72 € recrédité.",
    "Le délai est passé (23/11/2026 10:00) : le repas reste dû, 3,45 €. Rien n’est recrédité.",
    "Annulation sans frais : ce repas ne coûte rien.",
  ]);
  expect(spaced(cancelQuestion(inTime, "Thomas"))).toBe(
    "Annulation gratuite, 3,45 € recrédités à Thomas.",
  );
  const never = { ...whole, cancelUntil: null };
  expect(spaced(cancelQuestion(never, null))).toBe(
    "Cette cantine ne rembourse pas les annulations : le repas reste dû, 3,45 €. Rien n’est recrédité.",
  );
  expect([0, 172, 345].map((cents) => spaced(cancelledWords(cents, null)))).toEqual([
    "Repas annulé.",
    "Repas annulé, 1,72 € recrédité.",
    "Repas annulé, 3,45 € recrédités.",
  ]);
});
