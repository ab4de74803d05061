// What a ticket's state permits, state by state, and what a policy gives back.
import { describe, expect, test } from "vitest";
import {
  refundPercent,
  ticketCan,
  type TicketState,
  ticketStates,
  ticketTransitions,
} from "./ticket-states.ts";

describe("tickets", () => {
  test("the table of transitions", () => {
    expect(ticketTransitions).toEqual({
      held: ["issued", "cancelled", "expired"],
      issued: ["used", "transferred", "cancelled", "expired"],
      used: [],
      transferred: [],
      cancelled: [],
      expired: [],
    });
    expect(Object.keys(ticketTransitions)).toEqual([...ticketStates]);
  });

  const permitted: Partial<Record<TicketState, string[]>> = {
    issued: ["use", "transfer", "cancel"],
  };
  test.each(ticketStates)("%s", (state) => {
    const can = Object.entries(ticketCan).filter(([, may]) => may({ state }));
    expect(can.map(([name]) => name)).toEqual(permitted[state] ?? []);
  });

  test("a policy gives back by its best rule still open", () => {
    const policy = {
      text: "",
      rules: [
        { hours: 24, percent: 50 },
        { hours: 72, percent: 100 },
      ],
    };
    const start = new Date("2026-12-10T20:00:00Z");
    const at = (hours: number) => new Date(start.getTime() - hours * 3_600_000);
    expect([100, 72, 71.9, 24, 23, -1].map((h) => refundPercent(policy, start, at(h)))).toEqual([
      100, 100, 50, 50, 0, 0,
    ]);
  });
});
