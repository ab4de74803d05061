import { expect, test } from "vitest";
import {
  cancelAllQuestion,
  cancelledWords,
  cancelQuestion,
  cancelTerms,
  nextOrder,
} from "./cancel-words.ts";

const cancelUntil = "2026-11-23T09:00:00.000Z";
const inTime = { priceCents: 345, cancelCostCents: 0, cancelUntil };
const half = { ...inTime, cancelCostCents: 173 };
const whole = { ...inTime, cancelCostCents: 345 };
const free = { ...inTime, priceCents: 0 };
const spaced = (words: string) => words.replaceAll(/[\u00a0\u202f]/g, " ");

test("a line says until when it is free, then what stays due, all of it in words", () => {
  const now = new Date("2026-11-18T09:00:00Z");
  const terms = [inTime, half, whole, free].map((meal) => spaced(cancelTerms(meal, now)));
  expect(terms).toEqual([
    "Annulation gratuite jusqu’au lun. 23 nov. 10:00",
    "Délai d’annulation passé : 1,73 € reste dû",
    "Délai d’annulation passé : le repas reste dû",
    "Annulation sans frais",
  ]);
  expect(spaced(cancelTerms({ ...whole, cancelUntil: null }))).toBe(
    "Pas d’annulation gratuite : le repas reste dû",
  );
});

test("a near end is said as people say it", () => {
  const said = (now: string) => spaced(cancelTerms(inTime, new Date(now)));
  expect(said("2026-11-22T09:00:00Z")).toBe("Annulation gratuite jusqu’à demain 10:00");
  expect(nextOrder(cancelUntil, new Date("2026-11-22T09:00:00Z"))).toBe(
    "Prochaine commande à faire jusqu’à demain 10:00",
  );
  expect(said("2026-11-23T06:00:00Z")).toBe("Annulation gratuite jusqu’à aujourd’hui 10:00");
});

test("the question and what follows promise no money that does not come back", () => {
  const at = new Date("2026-11-25T09:00:00Z");
  const questions = [inTime, half, whole, free].map((meal) => spaced(cancelQuestion(meal, [], at)));
  expect(questions).toEqual([
    "Annulation gratuite, 3,45 € recrédités.",
    "Le délai est passé (lun. 23 nov. 10:00) : 1,73 € reste dû, 1,72 € recrédité.",
    "Le délai est passé (lun. 23 nov. 10:00) : le repas reste dû, 3,45 €. Rien n’est recrédité.",
    "Annulation sans frais : ce repas ne coûte rien.",
  ]);
  expect(spaced(cancelQuestion(half, [null], new Date("2026-11-24T09:00:00Z")))).toContain(
    "(hier 10:00)",
  );
  expect(spaced(cancelQuestion(inTime, ["Thomas Moreau"]))).toBe(
    "Annulation gratuite, 3,45 € recrédités à Thomas.",
  );
  const never = { ...whole, cancelUntil: null };
  expect(spaced(cancelQuestion(never, [null]))).toBe(
    "Cette cantine ne rembourse pas les annulations : le repas reste dû, 3,45 €. Rien n’est recrédité.",
  );
  expect([0, 172, 345].map((cents) => spaced(cancelledWords(cents, [null])))).toEqual([
    "Repas annulé.",
    "Repas annulé, 1,72 € recrédité.",
    "Repas annulé, 3,45 € recrédités.",
  ]);
  expect(spaced(cancelledWords(345, ["Léo Moreau", null]))).toBe(
    "Repas annulé, 3,45 € recrédités à Léo et à vous.",
  );
});

test("several meals at once: how many are late, what stays due and what is refunded", () => {
  const said = [
    [inTime, inTime],
    [inTime, half],
    [half, half],
    [whole, whole],
    [free, free],
  ].map((meals) => spaced(cancelAllQuestion(meals, [null])));
  expect(said).toEqual([
    "Annulation gratuite, 6,90 € recrédités.",
    "1 repas n’est plus gratuit : 1,73 € reste dû, 5,17 € recrédités.",
    "Ces repas ne sont plus gratuits à annuler : 3,46 € restent dus, 3,44 € recrédités.",
    "Ces repas ne sont plus gratuits à annuler : 6,90 € restent dus. Rien n’est recrédité.",
    "Annulation sans frais : ces repas ne coûtent rien.",
  ]);
  expect(spaced(cancelledWords(690, ["Léo Moreau"], 2))).toBe(
    "2 repas annulés, 6,90 € recrédités à Léo.",
  );
});
