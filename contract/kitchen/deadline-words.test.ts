// Deadlines as the screens say them.
import { expect, test } from "vitest";
import { deadlineWords } from "./deadline-words.ts";
import type { Deadline } from "./deadlines.ts";

test("deadlineWords: each rule ends a French sentence", () => {
  const at = "10:00";
  const before = (days: number, workingDays: boolean): Deadline => ({
    kind: "days_before",
    days,
    workingDays,
    at,
  });
  const weekday = (weeks: number): Deadline => ({ kind: "weekday_before", weeks, weekday: 3, at });
  const said: [Deadline, string][] = [
    [{ kind: "none" }, "jusqu’au début du service"],
    [{ kind: "never" }, "jamais"],
    [before(0, true), "jusqu’au jour même à 10:00"],
    [before(1, false), "jusqu’à la veille à 10:00"],
    [before(1, true), "jusqu’à la veille ouvrée à 10:00"],
    [before(2, false), "jusqu’à 2 jours avant, à 10:00"],
    [before(3, true), "jusqu’à 3 jours ouvrés avant, à 10:00"],
    [weekday(1), "jusqu’au jeudi de la semaine d’avant à 10:00"],
    [weekday(2), "jusqu’au jeudi 2 semaines avant, à 10:00"],
    [{ kind: "month_day_before", day: 1, at }, "jusqu’au 1er du mois d’avant à 10:00"],
    [{ kind: "month_day_before", day: 31, at }, "jusqu’au 31 du mois d’avant à 10:00"],
  ];
  expect(said.map(([rule]) => deadlineWords(rule))).toEqual(said.map(([, words]) => words));
});
