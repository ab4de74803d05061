// The demo's events are relative to today: on any day they can be paid, and leave money for the later
// purchases.
import { expect, test } from "vitest";
import { dayMs, parisDay } from "#contract/days.ts";
import { minBalanceCents, demoEvents } from "./events.ts";
import { nextMealToOrder } from "./missing-meal.ts";

const first = Date.UTC(2026, 0, 1, 21);

test("on each day of a year nobody has spent what they keep, and the till was busy", () => {
  for (let day = 0; day < 366; day++) {
    const now = new Date(first + day * dayMs);
    const balances = new Map<string, number>();
    const add = (wallet: string, cents: number) =>
      balances.set(wallet, (balances.get(wallet) ?? 0) + cents);
    let sales = 0;
    for (const event of demoEvents(now)) {
      const isIncome = event.kind === "top_up" || event.kind === "grant";
      add(`${event.who}/${event.group}`, isIncome ? event.amountCents : -event.amountCents);
      if (event.kind === "transfer") add(`${event.to}/main`, event.amountCents);
      if (event.key.startsWith("demo:bookshop:")) sales += 1;
    }
    const low = [...balances].filter(([, cents]) => cents < 0);
    expect(low, now.toISOString()).toEqual([]);
    for (const [who, cents] of Object.entries(minBalanceCents)) {
      expect(balances.get(`${who}/main`), `${who} ${now.toISOString()}`).toBeGreaterThanOrEqual(
        cents,
      );
    }
    expect(balances.get("guardian/main"), now.toISOString()).toBeGreaterThan(4_000);
    expect(sales, now.toISOString()).toBeGreaterThan(0);
  }
});

test("at night the day is that of Paris: no meal of it is booked any more", () => {
  for (const now of [new Date("2026-06-03T22:30:00Z"), new Date("2026-12-02T23:30:00Z")]) {
    const days = demoEvents(now).flatMap((event) => (event.kind === "booking" ? [event.on] : []));
    expect(days.filter((day) => day <= parisDay(now))).toEqual([]);
    expect(days).not.toEqual([]);
  }
});

test("the meal that a guardian is reminded of can still be ordered, and is not booked for the younger child", () => {
  let reminders = 0;
  for (let day = 0; day < 60; day++) {
    const now = new Date(first + day * dayMs);
    const meal = nextMealToOrder(now);
    if (!meal) continue;
    reminders += 1;
    const booked = demoEvents(now).flatMap((event) =>
      event.kind === "booking" && event.on === meal.day ? [event.who] : [],
    );
    expect(booked, now.toISOString()).not.toContain("secondChild");
    expect(meal.until > now, now.toISOString()).toBe(true);
  }
  expect(reminders).toBeGreaterThan(20);
});
