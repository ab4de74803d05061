// Name and address of an own sheet: holders and the map go by them, so that a change is asked of the
// operator.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const fields = {
  name: c.text(80, 1),
  street: c.text(120, 1),
  postcode: z.string().check(z.regex(/^\d{5}$/)),
  town: c.text(80, 1),
};

const identity = z.object({
  ...fields,
  /** Whether the caller's role may ask for others. */
  canAsk: z.boolean(),
  /** The last request, while it waits or after a refusal; null otherwise. */
  request: z.nullable(
    z.object({
      identity: z.object(fields),
      state: z.enum(["waiting", "refused"]),
      requestedAt: c.instant,
      /** Why it was refused. */
      why: z.nullable(z.string()),
    }),
  ),
});
export type SheetIdentity = z.output<typeof identity>;

const own = {
  access: "professional",
  source: "server/partners/README.md#sheets-written-by-their-owner",
} as const;
const one = { id: c.uuid };

export const partnersIdentity = {
  identity: c.row({
    method: "GET",
    path: "/api/partners/own/:id/identity",
    right: "anyRole",
    of: { id: "sheet" },
    ...own,
    reads: ["partner_identity"],
    summary: "Name and address of a sheet of the caller's company, and what was asked last",
    input: z.object(one),
    output: identity,
    problems: [],
  }),
  askIdentity: c.row({
    method: "POST",
    path: "/api/partners/own/:id/identity",
    right: "decide",
    of: { id: "sheet" },
    ...own,
    changes: ["partner_identity", "activity"],
    summary:
      "Asks the operator for another name or address of an own sheet; the last request counts",
    input: z.object({ ...one, ...fields }),
    output: identity,
    rate: { max: 10, seconds: 3600 },
    problems: ["partner_identity_same"],
  }),
  withdrawIdentity: c.row({
    method: "POST",
    path: "/api/partners/own/:id/identity/withdraw",
    right: "decide",
    of: { id: "sheet" },
    ...own,
    changes: ["partner_identity"],
    summary: "Withdraws what was asked and waits",
    input: z.object(one),
    output: identity,
    rate: { max: 60, seconds: 3600 },
    problems: [],
  }),
} as const;
