// The calendar of a family's meals behind a secret address, which calendars of phones subscribe to.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const canteenCalendar = {
  calendar: c.row({
    method: "GET",
    path: "/api/canteen/calendar",
    access: "holder",
    of: "self",
    reads: ["meal_calendar"],
    summary: "Since when the caller has an address of the calendar of meals",
    source: "server/meals/README.md#calendar-of-meals",
    input: c.emptyObject,
    output: z.object({ madeAt: z.nullable(c.instant) }),
    problems: [],
  }),
  makeCalendar: c.row({
    method: "POST",
    path: "/api/canteen/calendar",
    access: "holder",
    of: "self",
    changes: ["meal_calendar", "notices", "activity"],
    summary: "Makes a new address, told this once; the former serves no more",
    source: "server/meals/README.md#calendar-of-meals",
    input: c.emptyObject,
    output: z.object({ address: z.string() }),
    status: 201,
    rate: { max: 10, seconds: 3600 },
    problems: [],
  }),
  revokeCalendar: c.row({
    method: "POST",
    path: "/api/canteen/calendar/revoke",
    access: "holder",
    of: "self",
    changes: ["meal_calendar", "activity"],
    summary: "Ends the address of the calendar of meals; twice is once",
    source: "server/meals/README.md#calendar-of-meals",
    input: c.emptyObject,
    output: c.messageAnswer,
    problems: [],
  }),
  readCalendar: c.row({
    method: "GET",
    path: "/api/canteen/calendar/:secret",
    access: "public",
    of: { secret: "secret" },
    summary:
      "Meals of the family of an address as iCalendar, with an ETag; not found once it is ended",
    source: "server/meals/README.md#calendar-of-meals; RFC 5545",
    input: z.object({ secret: c.linkSecret }),
    output: c.document,
    reply: "calendar",
    problems: [],
  }),
} as const;
