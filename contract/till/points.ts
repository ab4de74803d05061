// Loyalty points: what a holder has at each partner, until when, and how each was earned.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const pointKinds = ["earned", "used", "back", "withdrawn", "expired"] as const;
export type PointKind = (typeof pointKinds)[number];

export const pointKindNames: Readonly<Record<PointKind, string>> = {
  earned: "Points gagnés",
  used: "Points utilisés",
  back: "Points rendus",
  withdrawn: "Points repris",
  expired: "Points expirés",
};

/** A holder's points at one partner: they are spent where they were earned. */
const pointBalance = z.object({
  /** The company whose tills give and take them. */
  company: c.uuid,
  /** Names of its places in the directory. */
  name: z.string(),
  points: z.int(),
  /** In the order in which they are spent. */
  lots: z.array(z.object({ points: z.int(), expiresOn: c.day })),
});
export type PointBalance = z.output<typeof pointBalance>;

const pointMovement = z.object({
  id: z.int(),
  at: c.instant,
  kind: z.enum(pointKinds),
  /** Signed: positive comes in, negative goes out. */
  points: z.int(),
  /** Where it happened. */
  label: z.string(),
  /** Last day of the points that moved. */
  expiresOn: c.day,
});
export type PointMovement = z.output<typeof pointMovement>;

export const loyalty = {
  points: c.row({
    method: "GET",
    path: "/api/wallets/points",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets"],
    summary: "Points of a card of one's own or of one's child, by partner and last day",
    source: "spec.md 21",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({ items: z.array(pointBalance) }),
    problems: [],
  }),
  movements: c.row({
    method: "GET",
    path: "/api/wallets/points/movements",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets"],
    summary: "How the points of a card were earned, used and lost, newest first",
    source: "spec.md 21",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      before: c.before,
      limit: c.limit,
    }),
    output: c.page(pointMovement),
    problems: [],
  }),
} as const;
