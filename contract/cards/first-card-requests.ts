// A child's first card: asked by a guardian, answered by the operator (spec.md 23).
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const cardRequest = z.object({
  id: c.uuid,
  name: z.string(),
  bornOn: c.day,
  state: z.enum(["open", "refused"]),
  /** Why it was refused, in the operator's words. */
  reason: z.nullable(z.string()),
  requestedAt: c.instant,
});
export type CardRequest = z.output<typeof cardRequest>;

export const enrolment = {
  list: c.row({
    method: "GET",
    path: "/api/family/card-requests",
    access: "holder",
    of: "self",
    reads: ["enrolments", "family"],
    summary: "First cards asked for and not yet answered, or refused within 30 days",
    source: "spec.md 23",
    input: c.emptyObject,
    output: z.object({ items: z.array(cardRequest) }),
    problems: [],
  }),
  ask: c.row({
    method: "POST",
    path: "/api/family/card-requests",
    access: "holder",
    of: "self",
    changes: ["enrolments"],
    summary: "Asks for a child's first card",
    source: "spec.md 23",
    /** Either name may be empty: some people have a single one. */
    input: z.object({ firstName: c.text(60), lastName: c.text(60), bornOn: c.day }),
    output: cardRequest,
    status: 201,
    problems: ["first_card_age", "first_card_requested", "first_card_full", "family_minor"],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/family/card-requests/:id/withdraw",
    access: "holder",
    of: { id: "cardRequest" },
    changes: ["enrolments"],
    summary: "Takes back a request that waits for its answer",
    source: "server/cards/README.md#a-childs-first-card",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: ["first_card_answered"],
  }),
} as const;
