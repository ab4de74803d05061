// Partnerships between two companies: what the tills of each take off for the cards of the other, agreed
// version by version, and what they write to each other.
import * as z from "zod/mini";
import { siret } from "../companies/rows.ts";
import * as c from "../endpoint.ts";
import { offer } from "./rows.ts";
import { partnerships as limits } from "./partnership-limits.ts";
import { partnershipStates } from "./partnership-states.ts";

const percent = z.number().check(z.int(), z.minimum(0), z.maximum(limits.maxPercent));

/** The terms as the caller's side sees them. */
const agreed = {
  /** Discount of the caller's tills for the cards of the other company. */
  givesPercent: z.int(),
  /** Discount of the other company's tills for the cards of the caller's company. */
  getsPercent: z.int(),
};

const line = {
  id: c.uuid,
  state: z.enum(partnershipStates),
  /** Whether the caller's company sent the invitation. */
  isInviter: z.boolean(),
  /** Legal name of the other company. Whoever invited knows it once the other side has accepted. */
  name: z.nullable(z.string()),
  town: z.nullable(z.string()),
  /** The number that was invited, as typed: shown to whoever typed it. */
  invited: z.nullable(z.string()),
  at: c.instant,
};

export const partnershipLine = z.object({
  ...line,
  ...agreed,
  /** Whether an invitation or new terms wait for the caller's side. */
  isWaiting: z.boolean(),
});
export type PartnershipLine = z.output<typeof partnershipLine>;

const version = z.object({
  version: z.int(),
  ...agreed,
  note: z.nullable(z.string()),
  /** Whether the caller's side proposed them. */
  isOurs: z.boolean(),
  proposedAt: c.instant,
  /** In force from then on; null while they wait, and for those refused or withdrawn. */
  fromAt: z.nullable(c.instant),
  /** Why they never came into force; null otherwise. */
  closed: z.nullable(z.enum(["refused", "withdrawn"])),
});
export type PartnershipTerms = z.output<typeof version>;

const sheet = z.object({
  id: c.uuid,
  name: z.string(),
  category: z.string(),
  street: z.string(),
  town: z.string(),
  /** Offers of today. */
  offers: z.array(offer),
});

export const partnership = z.object({
  ...line,
  /** Of the other company; null until the caller's side may know it. */
  siren: z.nullable(z.string()),
  address: z.nullable(z.string()),
  note: z.nullable(z.string()),
  expiresAt: c.instant,
  /** Since when it is in force; null before. */
  activeAt: z.nullable(c.instant),
  endedAt: z.nullable(c.instant),
  endedWhy: z.nullable(z.string()),
  /** Whether the caller's side ended it. */
  endedByUs: z.boolean(),
  /** In force now; null otherwise. */
  terms: z.nullable(version),
  /** New terms that wait for one side's answer. */
  proposal: z.nullable(version),
  /** The latest versions and the one in force, the latest first. */
  versions: z.array(version),
  /** Listed sheets of the other company. */
  sheets: z.array(sheet),
  /** Whether the caller decides for the company: answers, proposes, ends. */
  canDecide: z.boolean(),
  /** Whether the caller reads messages and figures. */
  seesMoney: z.boolean(),
});
export type Partnership = z.output<typeof partnership>;

export const partnershipKinds = ["waiting", "active", "past"] as const;
export type PartnershipKind = (typeof partnershipKinds)[number];

const message = z.object({
  id: z.int(),
  isOurs: z.boolean(),
  /** Who wrote it, on the caller's own side; null on the other. */
  by: z.nullable(z.string()),
  text: z.string(),
  at: c.instant,
});
export type PartnershipMessage = z.output<typeof message>;

const one = z.object({ id: c.uuid });
const note = z.nullable(c.text(500));

export const partnerships = {
  list: c.row({
    method: "GET",
    path: "/api/partnerships",
    access: "professional",
    right: "anyRole",
    of: "company",
    reads: ["partnerships"],
    summary: "Partnerships of the caller's company of one kind, those that wait for it first",
    source: "server/partners/README.md#the-page-of-a-partnership",
    input: z.object({
      kind: z.enum(partnershipKinds),
      before: c.before,
      limit: c.limit,
    }),
    output: z.object({
      canDecide: z.boolean(),
      items: z.array(partnershipLine),
      next: z.nullable(z.number()),
      counts: z.object({ waiting: z.int(), active: z.int(), past: z.int() }),
    }),
    problems: [],
  }),
  invite: c.row({
    method: "POST",
    path: "/api/partnerships",
    access: "professional",
    right: "decide",
    of: { toCardnumber: "number" },
    changes: ["partnerships", "activity"],
    summary:
      "Invites a company by SIRET or by the number of one of its cards; says not whether it is known",
    source: "server/partners/README.md#invitations-to-a-partnership",
    input: z.object({
      /** One of the two. */
      siret: z.optional(siret),
      toCardnumber: z.optional(c.cardnumber),
      givesPercent: percent,
      getsPercent: percent,
      note,
    }),
    output: z.object({ id: c.uuid, message: z.string() }),
    // Known numbers or not: each is a guess about somebody else.
    rate: { max: 20, seconds: 86_400 },
    problems: [
      "partnership_own",
      "partnership_known",
      "partnership_invited",
      "partnership_waiting",
      "partnership_full",
    ],
  }),
  one: c.row({
    method: "GET",
    path: "/api/partnerships/:id",
    access: "professional",
    right: "anyRole",
    of: { id: "partnership" },
    reads: ["partnerships"],
    summary: "One partnership: the other company, its sheets, terms with their versions",
    source: "spec §2 Details_partner",
    input: one,
    output: partnership,
    problems: [],
  }),
  answer: c.row({
    method: "POST",
    path: "/api/partnerships/:id/answer",
    access: "professional",
    right: "decide",
    of: { id: "partnership" },
    changes: ["partnerships", "activity"],
    summary: "Accepts an invitation with its terms, or refuses it; both sides are told",
    source: "server/partners/README.md#invitations-to-a-partnership",
    input: z.object({ id: c.uuid, accept: z.boolean() }),
    output: partnership,
    problems: ["partnership_state"],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/partnerships/:id/withdraw",
    access: "professional",
    right: "decide",
    of: { id: "partnership" },
    changes: ["partnerships", "activity"],
    summary: "Takes back an invitation that nobody answered",
    source: "server/partners/README.md#invitations-to-a-partnership",
    input: one,
    output: partnership,
    rate: { max: 60, seconds: 3600 },
    problems: ["partnership_state"],
  }),
  end: c.row({
    method: "POST",
    path: "/api/partnerships/:id/end",
    access: "professional",
    right: "decide",
    of: { id: "partnership" },
    changes: ["partnerships", "activity"],
    summary: "Ends a partnership at once, by either side; what was sold stays as it was",
    source: "server/partners/README.md#terms-of-a-partnership",
    input: z.object({ id: c.uuid, reason: c.text(300) }),
    output: partnership,
    problems: ["partnership_state"],
  }),
  propose: c.row({
    method: "POST",
    path: "/api/partnerships/:id/terms",
    access: "professional",
    right: "decide",
    of: { id: "partnership" },
    changes: ["partnerships"],
    summary: "Proposes the next version of the terms, in force once the other side accepts",
    source: "server/partners/README.md#terms-of-a-partnership",
    input: z.object({ id: c.uuid, givesPercent: percent, getsPercent: percent, note }),
    output: partnership,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "partnership_state",
      "partnership_terms_open",
      "partnership_terms_same",
      "partnership_terms_often",
    ],
  }),
  answerTerms: c.row({
    method: "POST",
    path: "/api/partnerships/:id/terms/:version/answer",
    access: "professional",
    right: "decide",
    of: { id: "partnership", version: "anyone" },
    changes: ["partnerships"],
    summary: "The other side accepts or refuses new terms; whoever proposed them takes them back",
    source: "server/partners/README.md#terms-of-a-partnership",
    input: z.object({
      id: c.uuid,
      version: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)),
      accept: z.boolean(),
    }),
    output: partnership,
    problems: ["partnership_state"],
  }),
  messages: c.row({
    method: "GET",
    path: "/api/partnerships/:id/messages",
    access: "professional",
    right: "seeMoney",
    of: { id: "partnership" },
    reads: ["partnership_messages"],
    summary: "What both sides wrote, the latest first; not for a cashier",
    source: "server/partners/README.md#the-page-of-a-partnership",
    input: z.object({ id: c.uuid, before: c.before, limit: c.limit }),
    output: c.page(message),
    problems: [],
  }),
  write: c.row({
    method: "POST",
    path: "/api/partnerships/:id/messages",
    access: "professional",
    right: "seeMoney",
    of: { id: "partnership" },
    changes: ["partnership_messages"],
    summary: "Writes to the other side, whose owners and accountants are told",
    source: "server/partners/README.md#the-page-of-a-partnership",
    input: z.object({ id: c.uuid, text: c.text(2000, 1) }),
    output: message,
    rate: { max: 30, seconds: 3600 },
    problems: ["partnership_state"],
  }),
} as const;
