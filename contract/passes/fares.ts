// Bus fares: the groups of lines, their products, and the price of each for a rider.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { fareKinds } from "./states.ts";

export const productId = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/));

/** An employer's part of a price. */
export const employerShare = z.object({
  /** Legal name of the company. */
  name: z.string(),
  cents: c.cents,
  /** Of the price, before the rounding to a cent. */
  percent: z.int(),
  enrolment: c.uuid,
});
export type EmployerShare = z.output<typeof employerShare>;

export const price = z.object({
  /** The price without any reduction. */
  fullCents: c.cents,
  cents: c.cents,
  /** French sentence: why this price. */
  reason: z.string(),
  lateFeeCents: c.cents,
  /** Taken off the price, never off the late fee. */
  employer: z.nullable(employerShare),
  /** What the buyer pays. */
  totalCents: c.cents,
});
export type Price = z.output<typeof price>;

export const product = z.object({
  id: productId,
  kind: z.enum(fareKinds),
  name: z.string(),
  lead: z.string(),
  /** French sentence: how long it is valid. */
  validity: z.string(),
  needsStop: z.boolean(),
  needsPhoto: z.boolean(),
  maxSuspendedDays: z.int(),
  /** French sentence on the late fee of this pass asked today, null without one. */
  late: z.nullable(z.string()),
});

export const fareOffer = z.extend(product, {
  price,
  /** French sentence: why this card may not have it, null when it may. */
  ineligibility: z.nullable(z.string()),
  /** French sentence: until when its holder has this already, null where it may still begin on a day. */
  covered: z.nullable(z.string()),
  /** Whether a proof (quotient, schooling, identity) would lower the price or give the right to it. */
  provable: z.boolean(),
});
export type FareOffer = z.output<typeof fareOffer>;

export const group = z.object({ idgroup: z.int(), name: z.string(), lead: z.string() });
export type FareGroup = z.output<typeof group>;
