// The family: who looks after whom, who may send money to whom, and how one joins.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import * as c from "../endpoint.ts";

/** Role of the invited person. `guardian`: of a child of the one who invites. */
export const invitedAs = ["child", "guardian", "relative"] as const;
export type InvitedAs = (typeof invitedAs)[number];

/** Relation of a member to the caller. */
export const memberRelations = ["child", "guardian", "relative"] as const;
export type MemberRelation = (typeof memberRelations)[number];

export const memberRelationNames: Readonly<Record<MemberRelation, string>> = {
  child: "Enfant",
  guardian: "Responsable",
  relative: "Proche",
};

export const member = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  relation: z.enum(memberRelations),
  state: z.enum(cardStates),
  /** The address of their picture. */
  avatar: z.nullable(z.string()),
  /** Of a child: its other guardians. Of another guardian of one's children: these children. */
  shares: z.array(z.string()),
  /** Whether one may take this person off one's family. */
  canLeave: z.boolean(),
});
export type Member = z.output<typeof member>;

const received = z.object({
  id: c.uuid,
  from: z.string(),
  fromCardnumber: c.cardnumber,
  role: z.enum(invitedAs),
  /** Whose card is invited: one's own, or that of a child one answers for. */
  to: z.string(),
  own: z.boolean(),
  /** The child whose guardian one would become. */
  child: z.nullable(z.string()),
  expiresAt: c.instant,
});
export type ReceivedInvitation = z.output<typeof received>;

const sent = z.object({
  id: c.uuid,
  /** Null while nobody opened the link that invites. */
  cardnumber: z.nullable(c.cardnumber),
  role: z.enum(invitedAs),
  child: z.nullable(z.string()),
  expiresAt: c.instant,
});
export type SentInvitation = z.output<typeof sent>;

/** What a card may spend by itself. Null is without a limit. */
const limit = z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)));
export const memberLimits = z.object({
  dayCents: limit,
  weekCents: limit,
  /** Acceptance groups where the card pays, null is everywhere. */
  groups: z.nullable(
    z
      .array(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))
      .check(z.minLength(1), z.maxLength(50)),
  ),
});
export type MemberLimits = z.output<typeof memberLimits>;

export const limitsView = z.extend(memberLimits, {
  /** Spent since the day and the week began, in Paris. */
  spentDayCents: c.cents,
  spentWeekCents: c.cents,
  /** The places to choose from. */
  places: z.array(z.object({ idgroup: z.int(), name: z.string(), rule: z.string() })),
  /** Whether the caller may change them. */
  canSet: z.boolean(),
});
export type LimitsView = z.output<typeof limitsView>;

const childContacts = z.object({
  email: z.nullable(z.string()),
  phonenumber: z.nullable(z.string()),
});
export type ChildContacts = z.output<typeof childContacts>;

const oneInvitation = z.object({ id: c.uuid });

export const family = {
  list: c.row({
    method: "GET",
    path: "/api/family",
    access: "holder",
    of: "self",
    reads: ["family", "cards"],
    summary: "The members of one's family, and the invitations that wait",
    source: "spec §2 family; spec.md 18",
    input: c.emptyObject,
    output: z.object({
      members: z.array(member),
      received: z.array(received),
      sent: z.array(sent),
      /** A person who has a guardian invites nobody and takes nobody in charge. */
      minor: z.boolean(),
    }),
    problems: [],
  }),
  invite: c.row({
    method: "POST",
    path: "/api/family/invitations",
    access: "holder",
    of: { cardnumber: "number", child: "card" },
    changes: ["family"],
    summary: "Invites a card; says the same whether or not somebody has it",
    source: "server/family/README.md#invitations",
    input: z.object({
      cardnumber: c.cardnumber,
      role: z.enum(invitedAs),
      /** The card of the child, where `role` is `guardian`; that role asks for a proof. */
      child: z.optional(c.cardnumber),
      ...c.stepUp,
    }),
    output: sent,
    status: 201,
    rate: { max: 30, seconds: 3600 },
    problems: [
      "family_oneself",
      "family_already",
      "family_invited",
      "family_full",
      "family_minor",
      "family_child_missing",
      ...c.stepUpProblems,
    ],
  }),
  inviteByLink: c.row({
    method: "POST",
    path: "/api/family/invitations/link",
    access: "holder",
    of: { child: "card" },
    changes: ["family"],
    summary: "Invites by a link to share; its address is in this answer and nowhere else",
    source: "server/family/README.md#invitations",
    input: z.object({
      role: z.enum(invitedAs),
      /** The card of the child, where `role` is `guardian`; that role asks for a proof. */
      child: z.optional(c.cardnumber),
      ...c.stepUp,
    }),
    output: z.object({ address: z.string() }),
    status: 201,
    rate: { max: 30, seconds: 3600 },
    problems: ["family_full", "family_minor", "family_child_missing", ...c.stepUpProblems],
  }),
  claim: c.row({
    method: "POST",
    path: "/api/family/invitations/claim",
    access: "holder",
    of: { secret: "secret" },
    changes: ["family"],
    summary:
      "Opens a link: the invitation then waits for the answer of this person or their guardian",
    source: "server/family/README.md#invitations",
    input: z.object({ secret: c.linkSecret }),
    output: c.messageAnswer,
    rate: { max: 30, seconds: 600 },
    problems: ["invitation_over", "invitation_unfit", "family_oneself", "family_already"],
  }),
  accept: c.row({
    method: "POST",
    path: "/api/family/invitations/:id/accept",
    access: "holder",
    of: { id: "invitationReceived" },
    changes: ["family", "cards", "activity"],
    summary: "Accepts an invitation, with a code",
    source: "server/family/README.md#invitations; spec.md 14",
    input: z.object({ id: c.uuid, ...c.stepUp }),
    output: c.messageAnswer,
    problems: ["invitation_over", "family_minor", ...c.stepUpProblems],
  }),
  decline: c.row({
    method: "POST",
    path: "/api/family/invitations/:id/decline",
    access: "holder",
    of: { id: "invitationReceived" },
    changes: ["family", "activity"],
    summary: "Declines an invitation",
    source: "server/family/README.md#invitations",
    input: oneInvitation,
    output: c.messageAnswer,
    problems: ["invitation_over"],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/family/invitations/:id/cancel",
    access: "holder",
    of: { id: "invitationSent" },
    changes: ["family"],
    summary: "Takes back an invitation that one sent",
    source: "server/family/README.md#invitations",
    input: oneInvitation,
    output: c.messageAnswer,
    problems: ["invitation_over"],
  }),
  join: c.row({
    method: "POST",
    path: "/api/family/join",
    access: "holder",
    of: { cardnumber: "number" },
    changes: ["family", "cards", "activity"],
    summary: "Takes in charge the card of a member without a phone, by the code printed for it",
    source: "spec.md 23",
    input: z.object({
      cardnumber: c.cardnumber,
      /** Eight digits, as printed. */
      code: z.string().check(z.regex(/^\d{8}$/)),
    }),
    output: member,
    status: 201,
    problems: [
      "join_refused",
      "join_locked",
      "join_adult",
      "join_reachable",
      "join_guarded",
      "family_minor",
    ],
  }),
  limits: c.row({
    method: "GET",
    path: "/api/family/members/:cardnumber/limits",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["limits", "wallets", "family"],
    summary: "What a card may spend by day, by week and where, and what it spent",
    source: "server/family/README.md#limits-of-a-child",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: limitsView,
    problems: [],
  }),
  setLimits: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/limits",
    access: "holder",
    of: { cardnumber: "card", "limits.groups[]": "anyone" },
    changes: ["limits"],
    summary: "Sets what a child's card may spend; a guardian's to do",
    source: "server/family/README.md#limits-of-a-child",
    input: z.object({ cardnumber: c.cardnumberInPath, limits: memberLimits }),
    output: limitsView,
    rate: { max: 60, seconds: 3600 },
    problems: ["limit_order", "limit_unknown_place", "family_minor"],
  }),
  contacts: c.row({
    method: "GET",
    path: "/api/family/members/:cardnumber/contacts",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["child_contacts", "family"],
    summary: "Where a child is reached, for its guardians",
    source: "spec.md 31",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: childContacts,
    problems: ["family_minor"],
  }),
  setChildEmail: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/email",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["child_contacts"],
    summary: "Changes a child's e-mail: the guardian's password or passkey, a code to the new one",
    source: "spec.md 29 and 31",
    input: z.object({ cardnumber: c.cardnumberInPath, email: c.email, ...c.stepUp }),
    output: childContacts,
    rate: { max: 60, seconds: 3600 },
    problems: ["family_minor", ...c.newAddressProblems],
  }),
  setChildPhone: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/phone",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["child_contacts"],
    summary: "Changes a child's phone: the guardian's password or passkey, a code to the new one",
    source: "spec.md 29 and 31",
    input: z.object({ cardnumber: c.cardnumberInPath, phonenumber: c.phone, ...c.stepUp }),
    output: childContacts,
    rate: { max: 60, seconds: 3600 },
    problems: ["family_minor", "phone_invalid", "phone_not_mobile", ...c.newAddressProblems],
  }),
  leave: c.row({
    method: "POST",
    path: "/api/family/members/:cardnumber/leave",
    access: "holder",
    of: { cardnumber: "tie" },
    changes: ["family", "cards", "wallets", "activity"],
    summary: "Ends a tie: a relative by either side, a guardian while another one remains",
    source: "server/family/README.md#ties",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: c.messageAnswer,
    problems: ["family_last_guardian"],
  }),
} as const;
