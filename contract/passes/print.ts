// Passes on paper.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const passPrint = {
  print: c.row({
    method: "GET",
    path: "/api/passes/:pass/pass.pdf",
    access: "holder",
    of: { pass: "pass" },
    summary: "A pass as a tagged PDF with its QR, for who rides without a phone",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: z.object({ pass: c.uuid }),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: ["pass_state", "pass_card_suspended", "pass_card_opposed", "card_state"],
  }),
  printAll: c.row({
    method: "GET",
    path: "/api/passes.pdf",
    access: "holder",
    of: "self",
    summary:
      "The passes of the caller and of their children that ride or will, a page a person, as one " +
      "tagged PDF with their QR codes",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: z.object({}),
    output: c.document,
    reply: "pdf",
    rate: { max: 10, seconds: 60 },
    problems: ["passes_none"],
  }),
} as const;
