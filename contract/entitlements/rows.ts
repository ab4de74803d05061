// Rights: the family quotient of a household and the proofs (justificatifs) that open a right or
// reduce a price, sent by a guardian or an adult, validated by the operator until a day.
import * as z from "zod/mini";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";

export const proofKinds = ["quotient", "home", "schooling", "disability", "identity"] as const;
export type ProofKind = (typeof proofKinds)[number];

/** `expired` and `replaced` were validated; a newer one of the same kind replaces the older ones. */
export const proofStates = ["waiting", "validated", "refused", "expired", "replaced"] as const;
export type ProofState = (typeof proofStates)[number];

interface Rule {
  /** About the household: an adult sends it for themselves, never for a child. */
  household: boolean;
  /** Values that the sender declares; a `writtenOn` must be recent. */
  asks: readonly ("quotient" | "writtenOn" | "bornOn" | "expiresOn")[];
  /** Until when it counts: 31 August, a year after the date that it bears, or the end that it bears. */
  counts: "school year" | "year" | "as written";
}

/** What each kind requires and until when it counts (server/entitlements/README.md#how-long-proofs-count). */
export const proofRules: Readonly<Record<ProofKind, Rule>> = {
  quotient: { household: true, asks: ["quotient", "writtenOn"], counts: "school year" },
  home: { household: true, asks: ["writtenOn"], counts: "year" },
  schooling: { household: false, asks: [], counts: "school year" },
  disability: { household: false, asks: ["expiresOn"], counts: "as written" },
  identity: { household: false, asks: ["bornOn", "expiresOn"], counts: "as written" },
};

const proof = z.object({
  id: c.uuid,
  kind: z.enum(proofKinds),
  state: z.enum(proofStates),
  /** Whole euros, of a family quotient; only its sender reads it. */
  quotient: z.nullable(z.int()),
  sentAt: c.instant,
  /** Whether the caller sent it: only the sender sees its value and its files. */
  sentByMe: z.boolean(),
  validFrom: z.nullable(c.day),
  /** Its last day; null while it is not validated, and for what counts for ever. */
  validUntil: z.nullable(c.day),
  /** Why it was refused, in the operator's words. */
  reason: z.nullable(z.string()),
  /** Whether it ends within 30 days, or has ended, and nothing newer was sent. */
  renew: z.boolean(),
  documents: z.array(document),
});
export type Proof = z.output<typeof proof>;

const rightsOf = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  own: z.boolean(),
  bornOn: z.nullable(c.day),
  /** The newest first, of each kind; at most 40. */
  proofs: z.array(proof),
});
export type RightsOf = z.output<typeof rightsOf>;

const declaration = z.object({
  cardnumber: c.cardnumberInPath,
  kind: z.enum(proofKinds),
  quotient: z.optional(z.int().check(z.minimum(0), z.maximum(99_999))),
  /** The date written on the document. */
  writtenOn: z.optional(c.day),
  bornOn: z.optional(c.day),
  /** The end written on the document; none for what has no end. */
  expiresOn: z.optional(c.day),
  /** Documents that the same person has uploaded before. */
  documents: z.array(c.uuid).check(z.maxLength(5)),
});
export type ProofDeclaration = z.output<typeof declaration>;

export const entitlements = {
  list: c.row({
    method: "GET",
    path: "/api/family/rights",
    access: "holder",
    of: "self",
    reads: ["entitlements", "family"],
    summary:
      "The proofs of oneself and of one's children: what waits, counts, ended or was refused",
    source: "server/entitlements/README.md#who-reads-a-proof",
    input: c.emptyObject,
    output: z.object({
      people: z.array(rightsOf),
      /** Whoever has a guardian sends nothing: the guardian does. */
      minor: z.boolean(),
    }),
    problems: [],
  }),
  send: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/proofs",
    access: "holder",
    of: { cardnumber: "card", "documents[]": "document" },
    changes: ["entitlements", "activity"],
    summary:
      "Sends a proof about oneself or one's child, with its files, for the operator to validate",
    source: "server/entitlements/README.md#sending-proofs",
    input: declaration,
    output: proof,
    status: 201,
    problems: [
      "family_minor",
      "proof_household",
      "proof_incomplete",
      "proof_date",
      "proof_old",
      "proof_waiting",
      "document_attached",
    ],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/family/proofs/:id/withdraw",
    access: "holder",
    of: { id: "proof" },
    changes: ["entitlements", "activity"],
    summary: "Takes back a proof that one sent and that waits; its files are erased",
    source: "server/entitlements/README.md#sending-proofs",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: ["proof_answered"],
  }),
} as const;
