// One's own data: the export of everything, the closing of an account, how long things are kept.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const dataExport = z.object({
  id: c.uuid,
  requestedAt: c.instant,
  /** Null while it is being made. */
  readyAt: z.nullable(c.instant),
  expiresAt: z.nullable(c.instant),
  bytes: z.nullable(z.number()),
});
export type DataExport = z.output<typeof dataExport>;

const closure = z.object({
  id: c.uuid,
  requestedAt: c.instant,
  /** The account closes at the start of this day, in Paris. */
  closesOn: c.day,
  beneficiary: z.nullable(z.string()),
  /** The last four characters of the IBAN; the rest is sealed. */
  ibanEnd: z.nullable(z.string()),
});

/** Obstacles to closing an account; each is also the code of the refusal. */
export const closureObstacles = [
  "closure_professional",
  "closure_last_guardian",
  "closure_bookings",
  "closure_payment_under_way",
  "closure_debt",
  "wallet_frozen",
] as const;
export type ClosureObstacle = (typeof closureObstacles)[number];

const privacyView = z.object({
  exports: z.array(dataExport),
  closure: z.nullable(closure),
  /** Amounts that would be refunded to a bank account, and lost (aid), today. */
  refundCents: c.cents,
  forfeitedCents: c.cents,
  /** Valid tickets of the person for sessions that are not over: a closing loses them. */
  ticketsToCome: z.int(),
  /** Loyalty points of the person: a closing loses them. */
  points: z.int(),
  obstacles: z.array(z.enum(closureObstacles)),
});
export type PrivacyView = z.output<typeof privacyView>;

const ofCard = { cardnumber: c.cardnumber };
const iban = c.text(60, 5);
const beneficiary = c.text(70, 2);

export const privacy = {
  read: c.row({
    method: "GET",
    path: "/api/privacy",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["privacy", "wallets", "tickets", "meals", "family"],
    summary: "Exports made, a closing asked for, what it would give back",
    source: "server/privacy/README.md#export",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: privacyView,
    problems: [],
  }),
  retention: c.row({
    method: "GET",
    path: "/api/privacy/retention",
    access: "public",
    of: "anyone",
    summary: "What is kept, for what and how long, for whoever wants to know before signing in",
    source: "server/privacy/README.md#register; RGPD 13",
    input: c.emptyObject,
    output: z.object({
      items: z.array(z.object({ what: z.string(), howLong: z.string(), purpose: z.string() })),
    }),
    problems: [],
  }),
  askExport: c.row({
    method: "POST",
    path: "/api/privacy/exports",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["privacy"],
    summary: "Asks for a zip of everything known about the holder of the card; asks for a code",
    source: "server/privacy/README.md#export; spec.md 14; RGPD 15 and 20",
    input: z.object({ ...ofCard, ...c.stepUp }),
    output: dataExport,
    status: 202,
    problems: ["export_waiting", "export_full", ...c.stepUpProblems],
  }),
  download: c.row({
    method: "GET",
    path: "/api/privacy/exports/:id",
    access: "person",
    of: { id: "export" },
    summary: "The zip, for whoever asked for it",
    source: "server/privacy/README.md#export",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "file",
    problems: ["export_waiting"],
  }),
  close: c.row({
    method: "POST",
    path: "/api/privacy/closure",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["privacy", "activity"],
    summary:
      "Asks for the account to be closed, its purchased money sent to an IBAN; asks for a code",
    source: "server/privacy/README.md#closing-an-account",
    input: z.object({
      ...ofCard,
      /** Required when money is to be refunded. */
      iban: z.optional(iban),
      beneficiary: z.optional(beneficiary),
      ...c.stepUp,
    }),
    output: closure,
    status: 201,
    problems: [
      ...closureObstacles,
      "closure_requested",
      "family_minor",
      "closure_iban_missing",
      "iban_invalid",
      "bank_holder_letters",
      ...c.stepUpProblems,
    ],
  }),
  setClosureIban: c.row({
    method: "POST",
    path: "/api/privacy/closure/iban",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["privacy"],
    summary:
      "Says where the money of a closing that waits goes, whatever was said before; asks for a code",
    source: "server/privacy/README.md#closing-an-account",
    input: z.object({ ...ofCard, iban, beneficiary, ...c.stepUp }),
    output: closure,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "closure_none",
      "family_minor",
      "iban_invalid",
      "bank_holder_letters",
      ...c.stepUpProblems,
    ],
  }),
  keepOpen: c.row({
    method: "POST",
    path: "/api/privacy/closure/cancel",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["privacy", "activity"],
    summary: "Keeps the account after all, until the day it closes",
    source: "server/privacy/README.md#closing-an-account",
    input: z.object(ofCard),
    output: c.messageAnswer,
    problems: ["closure_none", "family_minor"],
  }),
} as const;
