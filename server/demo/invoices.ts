// Invoices of the demo's three companies over the last months: paid, due, late, paid in part, credited.
import { addDays, addMonths, firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import { formatMonth } from "#contract/french.ts";
import { companyOf } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";
import { issueInvoice, type NewInvoice, settleInvoice } from "../invoices/invoices.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CastName } from "./cast.ts";

type Lines = NewInvoice["lines"];

interface Month {
  who: CastName;
  /** Lines invoiced for each month that is over. */
  lines: (month: string) => Lines;
  /** Unpaid months, counted back, and the one that is paid in part, in cents. */
  unpaid: readonly number[];
  part?: { monthsAgo: number; cents: number };
  credited?: number;
}

const monthly: readonly Month[] = [
  {
    who: "canteenProvider",
    lines: (month) => [
      { label: `Réservation des repas, ${month}`, quantity: 2, unitCents: 4_900, vat: "normal" },
      { label: "Messages aux familles", quantity: 180, unitCents: 6, vat: "normal" },
    ],
    unpaid: [1],
    part: { monthsAgo: 2, cents: 5_000 },
  },
  {
    who: "partnerShop",
    lines: (month) => [
      {
        label: `Location du lecteur de caisse, ${month}`,
        quantity: 1,
        unitCents: 1_500,
        vat: "normal",
      },
    ],
    unpaid: [1],
    credited: 4,
  },
  {
    who: "employer",
    lines: (month) => [
      { label: `Gestion des cartes pro, ${month}`, quantity: 8, unitCents: 190, vat: "normal" },
    ],
    unpaid: [1, 3],
  },
];

/** Single invoices, by how many months ago. */
const once: readonly {
  who: CastName;
  monthsAgo: number;
  lines: Lines;
  operation: "goods" | "services";
}[] = [
  {
    who: "employer",
    monthsAgo: 6,
    operation: "goods",
    lines: [
      { label: "Cartes pro personnalisées", quantity: 8, unitCents: 450, vat: "normal" },
      { label: "Envoi suivi", quantity: 1, unitCents: 990, vat: "normal" },
    ],
  },
  {
    who: "canteenProvider",
    monthsAgo: 5,
    operation: "services",
    lines: [
      { label: "Formation de l’équipe au guichet", quantity: 1, unitCents: 32_000, vat: "exempt" },
      { label: "Guide imprimé", quantity: 12, unitCents: 850, vat: "reduced" },
    ],
  },
];

const months = 7;

/** The date on which each of the last months is invoiced, the oldest first. */
export const invoicedMonths = (now: Date): { monthsAgo: number; at: Date }[] =>
  Array.from({ length: months }, (_, index) => {
    const monthsAgo = months - index;
    return { monthsAgo, at: startOfDay(firstOfMonth(parisDay(now), 1 - monthsAgo)) };
  });

interface InvoicingInput {
  people: Record<CastName, number>;
  now: Date;
}

/** Issues the invoices of all these months. */
export async function invoiceCompanies(
  tx: Tx,
  deps: Pick<Deps, "config">,
  input: InvoicingInput,
): Promise<void> {
  for (const { monthsAgo } of invoicedMonths(input.now)) {
    await invoiceMonth(tx, deps, input, monthsAgo);
  }
}

/** Issues the invoices of one month, and pays the paid part. */
export async function invoiceMonth(
  tx: Tx,
  { config }: Pick<Deps, "config">,
  { people, now }: InvoicingInput,
  monthsAgo: number,
): Promise<void> {
  const month = firstOfMonth(parisDay(now), -monthsAgo);
  const issuedOn = addMonths(month, 1);
  const deps = { config, send: async () => {}, now: () => startOfDay(issuedOn) };
  const issue = async (
    who: CastName,
    id: string,
    more: Pick<NewInvoice, "lines"> & Partial<NewInvoice>,
  ) => {
    const company = await companyOf(tx, people[who]);
    if (!company) throw new Error(`the demo's ${who} has no company`);
    return await issueInvoice(tx, deps, {
      companyId: company.companyId,
      kind: "invoice",
      subject: { kind: "other", id: `demo:${id}` },
      issuedOn,
      dueOn: addDays(issuedOn, 30),
      ...more,
    });
  };
  const pay = async (invoiceId: string, amountCents: number, on: string) => {
    const paid = startOfDay(on);
    const at = paid < now ? paid : now;
    const reference = `VIR ${on}`;
    await settleInvoice(tx, { invoiceId, amountCents, by: "transfer", reference, at });
  };
  for (const { who, lines, operation, ...one } of once) {
    if (one.monthsAgo !== monthsAgo) continue;
    const { id } = await issue(who, `${who}:once:${monthsAgo}`, { lines, operation });
    await pay(id, await openOf(tx, id), addDays(issuedOn, 19));
  }
  for (const plan of monthly) {
    const { who, unpaid, part, credited } = plan;
    const lines = plan.lines(formatMonth(month));
    const period = { from: month, to: addDays(issuedOn, -1) };
    const id = `${who}:${month}`;
    const invoice = await issue(who, id, { lines, period });
    if (credited === monthsAgo) {
      const correction = { kind: "credit_note" as const, correctsId: invoice.id };
      const reason = "Lecteur en panne tout le mois";
      await issue(who, id, { ...correction, lines, period, dueOn: issuedOn, reason });
    } else if (part?.monthsAgo === monthsAgo) {
      await pay(invoice.id, part.cents, addDays(issuedOn, 12));
    } else if (!unpaid.includes(monthsAgo)) {
      await pay(invoice.id, await openOf(tx, invoice.id), addDays(issuedOn, 17));
    }
  }
}

async function openOf(tx: Tx, id: string): Promise<number> {
  const { dueCents } = await tx
    .selectFrom("invoice")
    .select("dueCents")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return dueCents;
}
