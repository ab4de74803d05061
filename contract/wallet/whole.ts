// The whole of an operation that several wallets of one person took part in.
import type { Movement } from "./rows.ts";

/** Signed cents of the whole operation, what other wallets of the person gave or got included. */
export const wholeCents = ({ amountCents, parts }: Movement): number =>
  parts.length === 0 ? amountCents : parts.reduce((sum, part) => sum + part.amountCents, 0);
