// Registrations as the desk sees them: requests to answer, and the people of each class.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { audiences, diets } from "../kitchen/states.ts";

const deskRegistration = z.object({
  id: c.uuid,
  name: z.string(),
  audience: z.enum(audiences),
  /** "" where the canteen has no classes. */
  className: z.string(),
  diet: z.enum(diets),
  pai: z.boolean(),
  /** What the family lets the desk and the counter see. */
  sharesAllergens: z.boolean(),
  sharesPhoto: z.boolean(),
  requestedBy: z.string(),
  requestedAt: c.instant,
  /** The first and the last day on which it counts, null without. */
  fromOn: z.nullable(c.day),
  untilOn: z.nullable(c.day),
});
export type DeskRegistration = z.output<typeof deskRegistration>;

const registrations = z.object({
  /** Requests without an answer, the oldest first. */
  waiting: z.array(deskRegistration),
  /** People accepted, by class. */
  classes: z.array(z.object({ className: z.string(), count: z.int() })),
  /** Those of the class asked for, by name. */
  accepted: z.array(deskRegistration),
});
export type DeskRegistrations = z.output<typeof registrations>;

const ofClass = z.object({ canteen: c.uuid, className: z.optional(c.text(20)) });

export const canteenDesk = {
  deskRegistrations: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/registrations",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    reads: ["registrations"],
    summary: "Requests that wait, and the people accepted in a class, of one's own canteen",
    source: "server/meals/README.md#registrations",
    input: ofClass,
    output: registrations,
    problems: [],
  }),
  answerRegistration: c.row({
    method: "POST",
    path: "/api/canteen/own/registrations/:registration/answer",
    access: "professional",
    right: "answerFamilies",
    of: { registration: "registrationAt" },
    changes: ["registrations"],
    summary: "Accepts a registration, or refuses it with a reason that the family reads",
    source: "server/meals/README.md#registrations",
    input: z.object({ registration: c.uuid, accept: z.boolean(), reason: c.text(300) }),
    output: c.messageAnswer,
    problems: ["meal_registration_answered", "meal_registration_reason"],
  }),
  dismissRegistration: c.row({
    method: "POST",
    path: "/api/canteen/own/registrations/:registration/end",
    access: "professional",
    right: "answerFamilies",
    of: { registration: "registrationAt" },
    changes: ["registrations"],
    summary: "Ends a registration; refused while meals are ordered",
    source: "server/meals/README.md#registrations",
    input: z.object({ registration: c.uuid }),
    output: c.messageAnswer,
    problems: ["meal_registration_state", "meal_registration_orders"],
  }),
  classListCsv: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/class.csv",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    summary: "The people accepted in a class, or in all, as CSV",
    source: "server/meals/README.md#registrations",
    input: ofClass,
    output: c.document,
    reply: "csv",
    problems: [],
  }),
  classListPdf: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/class.pdf",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    summary: "The same on paper",
    source: "server/meals/README.md#registrations",
    input: ofClass,
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
