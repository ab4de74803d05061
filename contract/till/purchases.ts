// The receipt of a purchase at a till, for its holder and whoever acts for them.
import { groupSiren } from "../companies/siren.ts";
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { formatDateTime, formatMoney, plural } from "../french.ts";
import { loyalty } from "./point-limits.ts";
import { referenceOf } from "../reference.ts";
import { linesCents, saleLine } from "./lines.ts";
import { correctionName, shownStateOf, tillSaleFilterNames } from "./sales.ts";
import { tillSaleStates } from "./states.ts";

const purchase = z.object({
  id: c.uuid,
  state: z.enum(tillSaleStates),
  /** Name and place of the counter. */
  partner: z.string(),
  place: z.string(),
  /** Who sells, as the law names it; null for a sheet that has lost its company. */
  company: z.nullable(
    z.object({ name: z.string(), place: z.string(), siret: z.nullable(z.string()) }),
  ),
  label: z.nullable(z.string()),
  /** What was bought, as it was named and priced then; none where the amount was typed. */
  lines: z.array(saleLine),
  /** Whose card, and its last four digits. */
  holder: z.string(),
  last4: z.string(),
  cashier: z.string(),
  /** When it was made. */
  at: c.instant,
  amountCents: c.cents,
  /** By the terms and by points, together. */
  discountCents: c.cents,
  pointsUsed: z.int(),
  pointsEarned: z.int(),
  paidCents: c.cents,
  refundedCents: c.cents,
  /** By wallet, aid apart, in the order in which they paid. */
  paidWith: z.array(z.object({ wallet: z.string(), aid: z.boolean(), amountCents: c.cents })),
  returns: z.array(z.object({ amountCents: c.cents, at: c.instant })),
  /** Corrections by operators beside it: refunds, or amounts taken back (negative). */
  correctedCents: c.cents,
});
export type TillPurchase = z.output<typeof purchase>;

type Fact = readonly [name: string, value: string];

/** The facts of a purchase, from its receipt number to its cashier, for screen and paper. */
export function purchaseFacts(sale: TillPurchase): Fact[] {
  const { company, label } = sale;
  return [
    ["Reçu n°", referenceOf(sale.id)],
    ["État", tillSaleFilterNames[shownStateOf(sale)]],
    ["Commerce", sale.partner],
    ["Adresse du commerce", sale.place],
    ...(company === null
      ? []
      : [
          ["Vendeur", company.name] as const,
          ["Adresse du vendeur", company.place] as const,
          ...(company.siret === null ? [] : [["SIRET", groupSiren(company.siret)] as const]),
        ]),
    ["Date", formatDateTime(sale.at)],
    ["Carte", `${sale.holder}, …${sale.last4}`],
    ...(label === null ? [] : [["Objet", label] as const]),
    ["Encaissé par", sale.cashier],
  ];
}

/**
 * What was bought, a line an article, then what was typed beside them; nothing without articles. One that was sold
 * at two prices says both.
 */
export function purchaseLines({
  lines,
  amountCents,
}: Pick<TillPurchase, "lines" | "amountCents">): Fact[] {
  const otherCents = amountCents - linesCents(lines);
  return lines.length === 0
    ? []
    : [
        ...lines.map(({ name, count, priceCents }) => {
          const isAlone = count === 1 && lines.filter((one) => one.name === name).length === 1;
          const words = `${count}\u00a0× ${name} à ${formatMoney(priceCents)}`;
          return [isAlone ? name : words, formatMoney(count * priceCents)] as const;
        }),
        ...(otherCents > 0 ? [["Autre montant", formatMoney(otherCents)] as const] : []),
      ];
}

/** The amounts of a sale; `by` is who gave a sum back, for the counter alone. */
type SaleAmounts = Pick<
  TillPurchase,
  "amountCents" | "discountCents" | "pointsUsed" | "paidCents" | "refundedCents" | "correctedCents"
> & { returns: readonly { amountCents: number; at: string; by?: string }[] };

/** From the price to what stays paid: each line is added to those above it, wallets apart. */
export function purchaseSums(sale: SaleAmounts): Fact[] {
  const { amountCents, discountCents, pointsUsed, paidCents, refundedCents, correctedCents } = sale;
  const pointCents = pointsUsed * loyalty.pointCents;
  const terms = discountCents - pointCents;
  const hasReturns = refundedCents > 0 || sale.returns.length > 0;
  return [
    ["Prix", formatMoney(amountCents)],
    ...(terms > 0 ? [["Remise", formatMoney(-terms)] as const] : []),
    ...(pointsUsed > 0
      ? [
          [
            plural(pointsUsed, "point utilisé", "points utilisés"),
            formatMoney(-pointCents),
          ] as const,
        ]
      : []),
    ["Payé", formatMoney(paidCents)],
    ...sale.returns.map(
      ({ at, by, amountCents: cents }) =>
        [
          `Rendu le ${formatDateTime(at)}${by === undefined ? "" : ` par ${by}`}`,
          formatMoney(-cents),
        ] as const,
    ),
    ...(correctedCents === 0
      ? []
      : [[correctionName(correctedCents), formatMoney(-correctedCents)] as const]),
    ...(hasReturns ? [["Reste payé", formatMoney(paidCents - refundedCents)] as const] : []),
  ];
}

/** The wallets that paid, and the points earned. */
export const purchaseMeans = ({ paidWith, pointsEarned, state }: TillPurchase): Fact[] => [
  ...paidWith.map(
    ({ wallet, aid, amountCents }) =>
      [`${wallet}${aid ? " (aide)" : ""}`, formatMoney(amountCents)] as const,
  ),
  ...(state === "paid" && pointsEarned > 0
    ? [["Points gagnés", String(pointsEarned)] as const]
    : []),
];

const input = z.object({ sale: c.uuid });

export const tillPurchases = {
  purchase: c.row({
    method: "GET",
    path: "/api/till/purchases/:sale",
    access: "person",
    of: { sale: "purchaseAtTill" },
    reads: ["till", "family"],
    summary: "A paid purchase of the caller's card at a till, or of a child's",
    source: "server/till/README.md#receipt-of-a-sale",
    input,
    output: purchase,
    problems: [],
  }),
  purchaseReceipt: c.row({
    method: "GET",
    path: "/api/till/purchases/:sale/receipt.pdf",
    access: "person",
    of: { sale: "purchaseAtTill" },
    summary: "Its receipt as a tagged PDF, with what was given back",
    source: "server/till/README.md#receipt-of-a-sale",
    input,
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
} as const;
