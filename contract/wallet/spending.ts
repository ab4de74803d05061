// What a family spends, by month and category.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** Categories with a list of movements of their own, in the order of the screens. */
export const listedCategories = ["meals", "transport", "subscription", "tickets", "shops"] as const;
export type ListedCategory = (typeof listedCategories)[number];

/** `other` is paid to an account that none of the listed ones names. */
export const spendingCategories = [...listedCategories, "other"] as const;
export type SpendingCategory = (typeof spendingCategories)[number];

export const spendingCategoryNames: Readonly<Record<SpendingCategory, string>> = {
  meals: "Cantine",
  transport: "Bus",
  subscription: "Abonnement",
  tickets: "Billets",
  shops: "Achats en commerce",
  other: "Autres",
};

/** Months that the read answers, the current one included. */
export const spendingMonths = 12;

const part = z.object({
  month: c.month,
  objectID: c.uuid,
  category: z.enum(spendingCategories),
  /** Spent less refunded in that month: negative where more came back than was paid. */
  cents: c.cents,
  /** Lines of the wallet's movements that make it up. */
  operations: z.int(),
});
export type SpendingPart = z.output<typeof part>;

export const walletSpending = {
  spending: c.row({
    method: "GET",
    path: "/api/wallets/spending",
    access: "holder",
    of: "self",
    reads: ["wallets", "family"],
    summary: "What one's own and one's children's wallets spent, by month in Paris and category",
    source: "server/wallet/README.md#spending",
    input: z.object({}),
    output: z.object({
      /** Twelve months, the oldest first, the current one last. */
      months: z.array(c.month),
      /** The caller's wallets, then those of the children by name; each person's main wallet first. */
      wallets: z.array(
        z.object({
          objectID: c.uuid,
          name: z.string(),
          cardnumber: c.cardnumber,
          /** The name of its owner. */
          owner: z.string(),
          own: z.boolean(),
          /** Spent in the month before until this day and hour of it. */
          lastMonthToDateCents: c.cents,
        }),
      ),
      /** Of each month, wallet and category with movements. */
      parts: z.array(part),
    }),
    problems: [],
  }),
} as const;
