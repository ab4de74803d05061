// Shares of its purchases that a provider declares sustainable and organic, as the law EGalim counts them.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const percent = z.int().check(z.minimum(0), z.maximum(100));

/**
 * Shares of a year's purchases, in whole percent of their value without tax; organic is within sustainable.
 */
export const purchaseShare = z.object({
  year: z.int().check(z.minimum(2019), z.maximum(2199)),
  sustainable: percent,
  organic: percent,
});
export type PurchaseShare = z.output<typeof purchaseShare>;

/** « 54 % durables et de qualité, dont 22 % biologiques » */
export const sharesOf = ({ sustainable, organic }: PurchaseShare): string =>
  `${sustainable}\u00a0% durables et de qualité, dont ${organic}\u00a0% biologiques`;

const shares = z.object({ items: z.array(purchaseShare) });

export const canteenPurchases = {
  purchaseShares: c.row({
    method: "GET",
    path: "/api/canteen/purchase-shares",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["purchase_shares"],
    summary: "What the caller declared of its purchases, the latest year first",
    source: "server/kitchen/README.md#purchases-under-egalim",
    input: c.emptyObject,
    output: shares,
    problems: [],
  }),
  declarePurchaseShare: c.row({
    method: "POST",
    path: "/api/canteen/purchase-shares",
    access: "professional",
    right: "decide",
    of: "provider",
    changes: ["purchase_shares"],
    summary: "Declares the shares of a year, shown to families; the same year again replaces them",
    source: "server/kitchen/README.md#purchases-under-egalim",
    input: purchaseShare,
    output: shares,
    problems: ["purchase_share_year", "purchase_share_organic"],
  }),
} as const;
