// The bank account on which a company is paid, and its changes (spec.md 25).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** States of a change: `waiting` for a second owner, `frozen` until its delay is over. */
export const bankChangeStates = ["waiting", "frozen", "standing", "undone", "lapsed"] as const;
export type BankChangeState = (typeof bankChangeStates)[number];

const account = z.object({
  /** Masked as « FR76 •••• 8181 » for readers who may only recognise it. */
  iban: z.string(),
  bic: z.nullable(z.string()),
  holderName: z.string(),
  requestedAt: c.instant,
});

const change = z.extend(account, {
  id: c.uuid,
  state: z.enum(bankChangeStates),
  /** Who asked for it, and who confirmed or undid it since. */
  requestedBy: z.string(),
  confirmedBy: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
});
export type BankChange = z.output<typeof change>;

export const bankAccount = z.object({
  /** Whether the caller decides where the company is paid. */
  canEdit: z.boolean(),
  /** The account in force, its IBAN masked; null before the first. */
  account: z.nullable(account),
  /** Nothing is paid out before this instant; null when payouts are not suspended. */
  frozenUntil: z.nullable(c.instant),
  /** The change under way. An owner reads its whole IBAN, to compare it. */
  open: z.nullable(
    z.extend(change, {
      /** Until when a second owner may confirm it; null where none has to. */
      answerUntil: z.nullable(c.instant),
      canConfirm: z.boolean(),
      /** Whether it can be undone: not once it is in force. */
      canUndo: z.boolean(),
    }),
  ),
  /** Changes that are over, the latest first, twenty at most; IBANs masked. */
  past: z.array(change),
});
export type BankAccountView = z.output<typeof bankAccount>;

export const companyBank = {
  bankAccount: c.row({
    method: "GET",
    path: "/api/company/bank-account",
    access: "professional",
    right: "seeMoney",
    of: "company",
    reads: ["bank_account", "company"],
    summary: "Where the caller's company is paid, and the change under way; not for a cashier",
    source: "spec.md 25",
    input: c.emptyObject,
    output: bankAccount,
    problems: [],
  }),
  changeBankAccount: c.row({
    method: "POST",
    path: "/api/company/bank-account",
    access: "professional",
    right: "decide",
    of: "company",
    changes: ["bank_account", "activity"],
    summary: "Asks for another account: payouts rest for 48 hours, every owner is told",
    source: "spec.md 25 and 29",
    input: z.object({
      /** As typed: spaces and dashes are left out. */
      iban: c.text(60, 1),
      bic: z.nullable(c.text(20)),
      /** In whose name the bank keeps it. */
      holderName: c.text(70, 1),
      ...c.stepUp,
    }),
    output: bankAccount,
    problems: [
      "iban_invalid",
      "bank_iban_country",
      "bank_bic_invalid",
      "bank_bic_missing",
      "bank_holder_letters",
      "bank_same",
      "bank_change_open",
      "bank_owner_left",
      ...c.stepUpProblems,
    ],
  }),
  confirmBankAccount: c.row({
    method: "POST",
    path: "/api/company/bank-account/:id/confirm",
    access: "professional",
    right: "decide",
    of: { id: "bankChange" },
    changes: ["bank_account", "activity"],
    summary: "A second owner confirms a change that another asked for",
    source: "spec.md 25 and 29",
    input: z.object({ id: c.uuid, ...c.stepUp }),
    output: bankAccount,
    problems: ["bank_change_over", "bank_confirm_own", "bank_owner_new", ...c.stepUpProblems],
  }),
  undoBankAccount: c.row({
    method: "POST",
    path: "/api/company/bank-account/:id/undo",
    access: "professional",
    right: "decide",
    of: { id: "bankChange" },
    changes: ["bank_account", "activity"],
    summary: "An owner undoes a change while it is frozen or waits: the former account stands",
    source: "spec.md 25",
    input: z.object({ id: c.uuid }),
    output: bankAccount,
    problems: ["bank_change_over"],
  }),
} as const;
