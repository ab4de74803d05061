// Cards of a company: type 2 numbers that it hands to the people who work there (spec §2 card_pro).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { cardStates } from "../cards/rows.ts";
import { limitsView, memberLimits } from "../family/rows.ts";
import { companyRoleList } from "./rows.ts";

export const proCard = z.object({
  /** Present card number of its bearer. */
  cardnumber: c.cardnumber,
  /** Null while nobody carries it. */
  name: z.nullable(z.string()),
  /** None for whoever carries a card and has no say in the company. */
  roles: companyRoleList,
  /** Whether it is the caller's own. */
  own: z.boolean(),
  state: z.enum(cardStates),
  /** 1 usable, 0 suspended or opposed (spec §4). */
  atf: z.int(),
  validUntil: z.nullable(c.day),
  /** Earlier numbers of the same bearer, the latest first. */
  former: z.array(c.cardnumber),
  /** The card on order that takes its place. */
  replacement: z.nullable(z.object({ cardnumber: c.cardnumber, state: z.enum(cardStates) })),
  /** An owner activates the replacement: the card was suspended by somebody else than its bearer. */
  held: z.boolean(),
  /** What it may spend by itself; null without a limit. */
  dayCents: z.nullable(c.cents),
  weekCents: z.nullable(c.cents),
  /** Names of the only places where it pays, null for everywhere. */
  places: z.nullable(z.array(z.string())),
});
export type ProCard = z.output<typeof proCard>;

const oneCard = z.object({ cardnumber: c.cardnumberInPath });

export const proCards = {
  proCards: c.row({
    method: "GET",
    path: "/api/pro-cards",
    access: "professional",
    right: "seeMoney",
    of: "company",
    reads: ["pro_cards", "company", "cards"],
    summary: "The cards of the caller's company by name, those that nobody carries first",
    source: "spec §2 card_pro; spec.md 25",
    input: c.emptyObject,
    output: z.object({
      company: z.string(),
      /** Whether the caller manages them; an accountant only sees them. */
      canManage: z.boolean(),
      items: z.array(proCard),
    }),
    problems: [],
  }),
  proCardLimits: c.row({
    method: "GET",
    path: "/api/pro-cards/:cardnumber/limits",
    access: "professional",
    right: "seeMoney",
    of: { cardnumber: "proCard" },
    reads: ["pro_cards", "wallets"],
    summary: "What a card of the company may spend by day, by week and where, and what it spent",
    source: "server/companies/README.md#pro-cards",
    input: oneCard,
    output: limitsView,
    problems: [],
  }),
  setProCardLimits: c.row({
    method: "POST",
    path: "/api/pro-cards/:cardnumber/limits",
    access: "professional",
    right: "managePeople",
    of: { cardnumber: "proCard", "limits.groups[]": "anyone" },
    changes: ["pro_cards"],
    summary: "Sets what a card of the company may spend; its bearer is told",
    source: "server/companies/README.md#pro-cards",
    input: z.object({ cardnumber: c.cardnumberInPath, limits: memberLimits }),
    output: limitsView,
    rate: { max: 60, seconds: 3600 },
    problems: ["limit_order", "limit_unknown_place"],
  }),
  assignProCard: c.row({
    method: "POST",
    path: "/api/pro-cards/:cardnumber/assign",
    access: "professional",
    right: "managePeople",
    of: { cardnumber: "proCard" },
    changes: ["pro_cards", "company", "activity"],
    summary:
      "Gives a card that nobody carries to a person; with roles in the company, which asks for a proof, or none",
    source: "spec.md 25 and 29",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      /** Either may be empty: some people have a single name. */
      firstName: c.text(60),
      lastName: c.text(60),
      email: z.nullable(c.email),
      phonenumber: z.nullable(c.phone),
      /** Roles given with the card; another owner must already carry one. */
      roles: companyRoleList.check(
        z.refine(
          (roles) => !roles.includes("owner") && new Set(roles).size === roles.length,
          "rôles",
        ),
      ),
      ...c.stepUp,
    }),
    output: proCard,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "pro_card_assigned",
      "pro_card_used",
      "phone_invalid",
      "phone_not_mobile",
      ...c.stepUpProblems,
    ],
  }),
  proCardClosing: c.row({
    method: "GET",
    path: "/api/pro-cards/:cardnumber/closing",
    access: "professional",
    right: "managePeople",
    of: { cardnumber: "colleague" },
    reads: ["pro_cards", "wallets", "grants"],
    summary: "What closing the card of a colleague who leaves gives back to the company",
    source: "server/companies/README.md#closing-the-card-of-a-colleague",
    input: oneCard,
    output: z.object({
      /** The part of its grants that is neither spent nor held. */
      returnedCents: c.cents,
    }),
    problems: ["pro_card_close_own"],
  }),
  closeProCard: c.row({
    method: "POST",
    path: "/api/pro-cards/:cardnumber/close",
    access: "professional",
    right: "managePeople",
    of: { cardnumber: "colleague" },
    changes: ["pro_cards", "company", "grants", "wallets", "activity"],
    summary:
      "Closes the card of a colleague who leaves, for good and without a replacement; it takes a proof",
    source: "server/companies/README.md#closing-the-card-of-a-colleague; spec.md 29",
    input: z.object({ cardnumber: c.cardnumberInPath, ...c.stepUp }),
    output: z.object({ message: z.string() }),
    rate: { max: 60, seconds: 3600 },
    problems: ["company_last_owner", "bank_change_open", "pro_card_close_own", ...c.stepUpProblems],
  }),
} as const;
