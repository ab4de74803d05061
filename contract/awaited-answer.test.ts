import { expect, test } from "vitest";
import { answerDelay } from "./answer-delay.ts";
import { awaitedAnswer, awaitedFrom } from "./awaited-answer.ts";

const sent = "2026-12-23T22:30:00Z"; // Wednesday 23:30 in Paris, two days before Christmas

test("the day promised passes over week-ends and public holidays, in Paris", () => {
  expect(answerDelay("contact")).toBe("sous 2 jours ouvrés");
  expect(awaitedAnswer("contact", sent, new Date("2026-12-28T22:59:00Z"))).toEqual({
    day: "2026-12-28",
    isLate: false,
    text: "Vous recevrez une réponse sous 2 jours ouvrés, le 28/12/2026 au plus tard.",
  });
});

test("past that day it says that it is late, and no longer promises", () => {
  const late = awaitedAnswer("contact", sent, new Date("2026-12-28T23:00:00Z"));
  expect(late.isLate).toBe(true);
  expect(late.text).toMatch(/^La réponse était prévue pour le 28\/12\/2026\. Elle est en retard/);
  expect(late.text).not.toContain("recevrez");
});

test("another parent has seven days, and is not answered for", () => {
  expect(awaitedFrom("Thomas", sent, new Date(sent)).text).toContain("le 30/12/2026 au plus tard");
  expect(awaitedFrom("Thomas", sent, new Date("2026-12-31T08:00:00Z"))).toMatchObject({
    isLate: true,
    text: expect.stringContaining("n’a pas répondu dans les 7"),
  });
});
