// Memberships: a person asks that their company joins a service of the portal (spec.md 25). One person
// has one open request for a service, so its code is all that a call names.
import * as z from "zod/mini";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";
import { memberships as limits } from "./limits.ts";
import {
  legalForms,
  membershipDocumentKinds,
  membershipParts,
  membershipStates,
  membershipSteps,
} from "./states.ts";

/** A service's code in the address `/:code_services`. */
const service = c.text(60, 1);
/**
 * Version that the caller has read: a call with another one is refused `membership_changed`. 0 for a new
 * draft.
 */
const version = z.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647));

const company = z.object({
  /** SIRET of the seat, 14 digits. */
  siret: c.text(14, 14),
  name: c.text(120, 1),
  legalForm: z.enum(legalForms),
  street: c.text(160, 1),
  postcode: z.string().check(z.regex(/^\d{5}$/)),
  town: c.text(80, 1),
  /** False where it owes no VAT (article 293 B of the tax code). */
  owesVat: z.boolean(),
  /** A category of the directory. */
  category: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
});
export type MembershipCompany = z.output<typeof company>;

const representative = z.object({
  name: c.text(120, 1),
  /** Their position in the company: « gérante ». */
  function: c.text(80, 1),
  email: c.email,
  /** E.164. */
  phonenumber: z.string(),
});

const exchange = z.object({
  id: c.uuid,
  at: c.instant,
  from: z.enum(["me", "team"]),
  text: z.string(),
  /** What the operator asked to correct. */
  parts: z.array(z.enum(membershipParts)),
  documents: z.array(document),
});
export type MembershipExchange = z.output<typeof exchange>;

/** A request as the person who made it sees it. */
export const membership = z.object({
  /** Number by which the operator and the person refer to it. */
  number: z.int(),
  state: z.enum(membershipStates),
  version,
  /** Where a draft goes on: the first step that is not done. */
  step: z.enum(membershipSteps),
  company: z.nullable(company),
  representative: z.nullable(representative),
  documents: z.array(z.object({ kind: z.enum(membershipDocumentKinds), document })),
  /** The representative's phone, or e-mail where no SMS leaves, was proved by a code. */
  proved: z.boolean(),
  /** In clarification: the parts that the operator asked to correct. */
  requestedParts: z.array(z.enum(membershipParts)),
  exchanges: z.array(exchange),
  submittedAt: z.nullable(c.instant),
  decidedAt: z.nullable(c.instant),
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  /** Approved: the professional number that was made, or that had asked. */
  cardnumber: z.nullable(c.cardnumber),
  /** Its first password is chosen by a code, at once: until it is, and where a code proved its address. */
  opensByCode: z.boolean(),
});
export type Membership = z.output<typeof membership>;

const page = z.object({
  service: z.object({
    code: z.string(),
    name: z.string(),
    summary: z.string(),
    conditions: z.array(z.string()),
    /** Why no new request is taken for now; null while it is open. */
    closed: z.nullable(z.string()),
    /** The documents that a request needs. */
    documents: z.array(z.enum(membershipDocumentKinds)),
  }),
  /** Categories of the directory, with that of the first level they stand under. */
  categories: z.array(z.object({ id: z.string(), name: z.string(), top: z.string() })),
  /** How the code reaches the representative on this installation. */
  codeBy: z.enum(["sms", "email"]),
  /** Why the caller has nothing to ask for: their number has a company, or they are a child. */
  barred: z.nullable(z.enum(["company", "minor"])),
  /** The request that is open, else the last one; null before the first. */
  membership: z.nullable(membership),
});
export type MembershipPage = z.output<typeof page>;

const refusals = [
  "family_minor",
  "membership_changed",
  "membership_closed",
  "membership_service_closed",
  "membership_own_company",
] as const;

export const memberships = {
  read: c.row({
    method: "GET",
    path: "/api/memberships/:service",
    access: "person",
    of: { service: "anyone" },
    reads: ["memberships"],
    summary: "What joining a service asks for, and the caller's request",
    source: "spec §2 adhesion_page; spec.md 25",
    input: z.object({ service }),
    output: page,
    problems: [],
  }),
  company: c.row({
    method: "POST",
    path: "/api/memberships/:service/company",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships"],
    summary: "Writes the company of a request; begins the request where none is open",
    source: "spec §2 adhesion_page",
    input: z.extend(company, { service, version }),
    output: page,
    // Its refusal tells that a company is known.
    rate: { max: 60, seconds: 3600 },
    problems: [...refusals, "siret_invalid", "company_known", "membership_company_open"],
  }),
  representative: c.row({
    method: "POST",
    path: "/api/memberships/:service/representative",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships"],
    summary: "Writes who represents the company; another phone or e-mail is proved again",
    source: "spec §2 adhesion_page",
    input: z.extend(representative, { service, version, phonenumber: c.phone }),
    output: page,
    problems: [...refusals, "phone_invalid", "phone_not_mobile"],
  }),
  addDocument: c.row({
    method: "POST",
    path: "/api/memberships/:service/documents",
    access: "person",
    of: { service: "anyone", document: "document" },
    changes: ["memberships"],
    summary: "Gives an uploaded document for a request",
    source: "spec §2 adhesion_page",
    input: z.object({ service, kind: z.enum(membershipDocumentKinds), document: c.uuid }),
    output: page,
    problems: [...refusals, "document_attached", "membership_same_documents"],
  }),
  removeDocument: c.row({
    method: "POST",
    path: "/api/memberships/:service/documents/remove",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships"],
    summary: "Takes a document of a request away and deletes it",
    source: "spec §2 adhesion_page",
    input: z.object({ service, kind: z.enum(membershipDocumentKinds) }),
    output: page,
    problems: refusals,
  }),
  prove: c.row({
    method: "POST",
    path: "/api/memberships/:service/code",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships"],
    summary: "Proves the representative's phone by the code that is sent to it",
    source: "spec §2 adhesion_page (one-time code); spec.md 14",
    input: z.object({
      service,
      version,
      challenge: c.stepUp.challenge,
      code: c.stepUp.code,
    }),
    output: page,
    problems: [
      ...refusals,
      "membership_incomplete",
      "code_required",
      "code_wrong",
      "code_expired",
      "code_sends_exhausted",
      "code_addresses_exhausted",
      "no_channel",
    ],
  }),
  submit: c.row({
    method: "POST",
    path: "/api/memberships/:service/submit",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships", "activity"],
    summary: "Sends a whole request to the operator",
    source: "spec §2 adhesion_page; server/memberships/README.md#states-of-a-request",
    input: z.object({ service, version }),
    output: page,
    rate: { max: limits.submitsPerHour, seconds: 3600 },
    problems: [...refusals, "membership_incomplete", "company_known", "membership_company_open"],
  }),
  answer: c.row({
    method: "POST",
    path: "/api/memberships/:service/answer",
    access: "person",
    of: { service: "anyone", "documents[]": "document" },
    changes: ["memberships", "notices", "activity"],
    summary: "Answers the operator's question; the request is under review again",
    source: "server/memberships/README.md#states-of-a-request",
    input: z.object({
      service,
      version,
      text: c.text(2000, 1),
      documents: z.array(c.uuid).check(z.maxLength(limits.answerDocuments)),
    }),
    output: page,
    rate: { max: limits.submitsPerHour, seconds: 3600 },
    problems: [...refusals, "membership_incomplete", "document_attached"],
  }),
  discard: c.row({
    method: "POST",
    path: "/api/memberships/:service/discard",
    access: "person",
    of: { service: "anyone" },
    changes: ["memberships", "activity"],
    summary: "Deletes a draft with its documents",
    source: "server/memberships/README.md#requests",
    input: z.object({ service, version }),
    output: page,
    problems: ["membership_changed", "membership_closed"],
  }),
} as const;
