// Waiting list of a full service: joining, leaving.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** The wait of a person for a seat of a day, as the week shows it. */
export const mealWait = z.object({
  id: c.uuid,
  /** Offered: a seat is kept for the person until `offeredUntil`. */
  state: z.enum(["waiting", "offered"]),
  /** Place in the line, from 1. */
  place: z.int(),
  offeredUntil: z.nullable(c.instant),
});

export const canteenWaitingList = {
  joinWaitingList: c.row({
    method: "POST",
    path: "/api/canteen/waiting-list",
    access: "holder",
    of: { registration: "registration" },
    changes: ["meals"],
    summary: "Waits for a seat of a service that is full, for a person on a day",
    source: "server/meals/README.md#waiting-for-a-seat; spec.md 7",
    input: z.object({ registration: c.uuid, day: c.day }),
    output: c.messageAnswer,
    status: 201,
    problems: [
      "meal_not_registered",
      "meal_registration_later",
      "meal_registration_over",
      "meal_provider_frozen",
      "meal_closed",
      "meal_already_ordered",
      "meal_order_off",
      "meal_too_late",
      "meal_price_missing",
      "meal_week_max",
      "meal_wait_twice",
      "meal_wait_needless",
      "meal_waits_full",
    ],
  }),
  leaveWaitingList: c.row({
    method: "POST",
    path: "/api/canteen/waiting-list/:id/leave",
    access: "holder",
    of: { id: "mealWait" },
    changes: ["meals"],
    summary: "Waits no longer; a seat that was offered goes to the next",
    source: "server/meals/README.md#waiting-for-a-seat; spec.md 7",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    problems: ["meal_wait_over"],
  }),
} as const;
