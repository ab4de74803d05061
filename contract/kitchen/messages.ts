// Messages of a canteen to families: to those who eat on a day, to a class, or to everybody registered.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { messages as limits } from "./limits.ts";

const sent = z.object({
  id: c.uuid,
  /** Null for a message that is not about the meals of one day. */
  day: z.nullable(c.day),
  /** Null for all classes. */
  className: z.nullable(z.string()),
  title: z.string(),
  body: z.string(),
  sentBy: z.string(),
  sentAt: c.instant,
  /** How many persons received it. */
  readers: z.int(),
});
export type CanteenMessage = z.output<typeof sent>;

/** Only messages sent before this instant; bounded as a day is, since PostgreSQL has no year 0. */
const before = z.optional(c.instant.check(z.refine((at) => at >= "1900" && at < "2200")));
const filled = (max: number) => c.text(max).check(z.regex(/\S/));
const list = z.object({
  items: z.array(sent),
  /** When the last of them was sent, for the next page; null at the end. */
  next: z.nullable(c.instant),
});

export const canteenMessages = {
  messages: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/messages",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    reads: ["canteen_messages"],
    summary: "Messages that one's own canteen sent, the last first, by page",
    source: "server/kitchen/README.md#messages-to-families",
    input: z.object({ canteen: c.uuid, before }),
    output: list,
    problems: [],
  }),
  messageReaders: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/messages/readers",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    reads: ["registrations"],
    summary: "How many persons a message would reach: who eats, and the guardians of children",
    source: "server/kitchen/README.md#messages-to-families",
    input: z.object({
      canteen: c.uuid,
      day: z.optional(c.day),
      className: z.optional(c.text(20)),
    }),
    output: z.object({ readers: z.int() }),
    problems: [],
  }),
  sendMessage: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/messages",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen", id: "new" },
    changes: ["canteen_messages", "activity"],
    summary: "Sends a message to as many persons as were shown; the same id again sends nothing",
    source: "server/kitchen/README.md#messages-to-families",
    input: z.object({
      canteen: c.uuid,
      /** Made by the screen when the message is reviewed. */
      id: c.uuid,
      day: z.nullable(c.day),
      className: z.nullable(c.text(20)),
      title: filled(limits.titleLength),
      body: filled(limits.bodyLength),
      readers: z.int().check(z.minimum(1), z.maximum(100_000)),
    }),
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "canteen_message_nobody",
      "canteen_message_readers",
      "canteen_message_twin",
      "canteen_message_max",
    ],
  }),
} as const;
