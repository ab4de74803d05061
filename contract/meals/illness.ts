// Illness of a child: the meals of the announced days are refunded, except the first days where the canteen
// keeps them due, and with a certificate where it asks for one.
import * as z from "zod/mini";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";
import { illnessStates, illnessTerms } from "./states.ts";

const meal = z.object({
  order: c.uuid,
  canteen: z.string(),
  day: c.day,
  priceCents: c.cents,
  terms: z.enum(illnessTerms),
  /** Its cost unless it is refunded. */
  costCents: c.cents,
});
export type IllnessMeal = z.output<typeof meal>;

/** Sums in cents over the meals of an illness. */
const sums = {
  /** Refunded at once. */
  freeCents: c.cents,
  /** The first days, which stay due. */
  dueCents: c.cents,
  /** Refunded once a certificate is accepted. */
  proofCents: c.cents,
};

const preview = z.object({
  meals: z.array(meal),
  ...sums,
  /** The last instant at which a certificate can be sent; null where none is asked. */
  certificateUntil: z.nullable(c.instant),
});
export type IllnessPreview = z.output<typeof preview>;

const illness = z.object({
  id: c.uuid,
  name: z.string(),
  cardnumber: c.cardnumber,
  canteen: z.string(),
  from: c.day,
  to: c.day,
  state: z.enum(illnessStates),
  announcedAt: c.instant,
  meals: z.int(),
  ...sums,
  certificateUntil: z.nullable(c.instant),
  /** Why the certificate was refused. */
  reason: z.nullable(z.string()),
  documents: z.array(document),
  canWithdraw: z.boolean(),
});
export type IllnessView = z.output<typeof illness>;

const deskIllness = z.object({
  ...illness.shape,
  className: z.string(),
  sentAt: z.nullable(c.instant),
});
export type DeskIllness = z.output<typeof deskIllness>;

const days = { cardnumber: c.cardnumber, from: c.day, to: c.day };

export const canteenIllness = {
  illnesses: c.row({
    method: "GET",
    path: "/api/canteen/illnesses",
    access: "holder",
    of: "self",
    reads: ["illnesses", "meals", "family"],
    summary: "Who of the family has a meal today or tomorrow, and the illnesses of three months",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#illness",
    input: c.emptyObject,
    output: z.object({
      /** Empty for a child itself: a guardian announces. */
      soon: z.array(z.object({ cardnumber: c.cardnumber, name: z.string(), day: c.day })),
      items: z.array(illness),
    }),
    problems: [],
  }),
  illnessPreview: c.row({
    method: "POST",
    path: "/api/canteen/illnesses/preview",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["illnesses", "meals", "family"],
    summary: "What an illness would give back and leave due; nothing is changed",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#illness",
    input: z.object(days),
    output: preview,
    problems: ["family_minor", "illness_dates", "illness_no_meals"],
  }),
  announceIllness: c.row({
    method: "POST",
    path: "/api/canteen/illnesses",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["illnesses", "meals", "wallets"],
    summary:
      "Announces a sick child for some days: meals are cancelled for the sums that were seen",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#illness",
    input: z.object({ ...days, dueCents: c.cents, proofCents: c.cents }),
    output: z.object({ items: z.array(illness) }),
    status: 201,
    problems: ["family_minor", "illness_dates", "illness_no_meals", "price_changed"],
  }),
  proveIllness: c.row({
    method: "POST",
    path: "/api/canteen/illnesses/:illness/certificate",
    access: "holder",
    of: { illness: "illness", "documents[]": "document" },
    changes: ["illnesses"],
    summary: "Sends the certificate of an illness; the canteen answers",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#illness",
    input: z.object({
      illness: c.uuid,
      documents: z.array(c.uuid).check(z.minLength(1), z.maxLength(5)),
    }),
    output: c.messageAnswer,
    problems: ["family_minor", "illness_state", "document_attached"],
  }),
  withdrawIllness: c.row({
    method: "POST",
    path: "/api/canteen/illnesses/:illness/withdraw",
    access: "holder",
    of: { illness: "illness" },
    changes: ["illnesses", "meals", "wallets"],
    summary: "Takes an illness back: its meals are ordered again at their price",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#illness",
    input: z.object({ illness: c.uuid }),
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "family_minor",
      "illness_state",
      "illness_withdraw_late",
      "illness_seat_gone",
      "meal_not_registered",
      "meal_already_ordered",
      "meal_closed",
      "insufficient_funds",
      "wallet_frozen",
    ],
  }),
  deskIllnesses: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/illnesses",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen" },
    reads: ["illnesses"],
    summary: "Illnesses announced at a canteen of the caller, certificates to answer first",
    source: "server/meals/README.md#illness",
    input: z.object({ canteen: c.uuid }),
    output: z.object({ items: z.array(deskIllness) }),
    problems: [],
  }),
  answerCertificate: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/illnesses/:illness/answer",
    access: "professional",
    right: "answerFamilies",
    of: { canteen: "canteen", illness: "illnessAt" },
    changes: ["illnesses", "service"],
    summary: "Accepts a certificate, or refuses it with a reason; the family is told",
    source: "server/meals/README.md#illness",
    input: z.object({ canteen: c.uuid, illness: c.uuid, accept: z.boolean(), reason: c.text(300) }),
    output: c.messageAnswer,
    problems: ["illness_state", "illness_reason"],
  }),
} as const;
