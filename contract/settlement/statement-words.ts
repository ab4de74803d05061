// French texts of a statement, the same on the screen, on paper and in the file; and its lines from the sales
// to the closing amount, which add up as they are read.
import { formatDate } from "../french.ts";
import { referenceOf } from "../reference.ts";
import type { SettlementPayout, SettlementStatement } from "./rows.ts";
import { payoutStateNames } from "./states.ts";

export const statementNames = {
  source: "Source",
  count: "Nombre de ventes",
  sales: "Ventes brutes",
  returns: "Remboursements",
  corrections: "Corrections du service clients",
  gross: "Ventes nettes",
  rate: "Taux de commission",
  commission: "Commission hors TVA",
  vat: "TVA sur la commission",
  withVat: "Commission avec TVA",
  net: "À verser pour le mois",
  opening: "Solde du relevé précédent",
  payout: "Montant du versement",
  paid: "Montant versé",
  closing: "Reste à verser",
  control: "Écart de contrôle",
  reference: "Référence",
  bankReference: "Référence bancaire",
  executeOn: "Date du virement",
  account: "Compte crédité",
  state: "État",
} as const;

export interface StatementStep {
  label: string;
  cents: number;
  /** Whether it is the sum of the lines above it that are no totals: it is not added again. */
  isTotal: boolean;
}

/** Every line from the sales to the closing amount, in the order in which a reader adds them. */
export function statementSteps(statement: SettlementStatement): StatementStep[] {
  const { sources, invoice, payouts, returned, commissionCents, vatCents } = statement;
  const names = statementNames;
  const sum = (what: "salesCents" | "returnsCents" | "correctionsCents") =>
    sources.reduce((total, one) => total + one[what], 0);
  const line = (label: string, cents: number) => ({ label, cents, isTotal: false });
  const total = (label: string, cents: number) => ({ label, cents, isTotal: true });
  const document = invoice ? `, ${invoice.number}` : "";
  const corrections = sum("correctionsCents");
  const back = [...payouts, ...returned].filter(({ returnedHere }) => returnedHere);
  return [
    line(names.sales, sum("salesCents")),
    line(names.returns, sum("returnsCents")),
    ...(corrections === 0 ? [] : [line(names.corrections, corrections)]),
    total(names.gross, statement.grossCents),
    line(`${names.commission}${document}`, -commissionCents),
    line(`${names.vat}${document}`, -vatCents),
    total(names.net, statement.netCents),
    line(names.opening, statement.openingCents),
    ...payouts.map((one) => line(payoutWords(one), -one.amountCents)),
    ...back.map(({ reference, amountCents }) =>
      line(`Versement ${reference} refusé, de nouveau dû`, amountCents),
    ),
    total(names.closing, statement.closingCents),
  ];
}

/** « Versement MC-000001-0001 du 03/12/2026, versé ». */
const payoutWords = ({ reference, executeOn, state }: SettlementPayout): string =>
  `Versement ${reference} du ${formatDate(executeOn)}, ${payoutStateNames[state].toLowerCase()}`;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The reference by which a line's sale or ticket is known elsewhere; "" without one. */
export function lineReference({ key }: { key: string }): string {
  const [id] = uuid.exec(key) ?? [];
  return id === undefined ? "" : referenceOf(id);
}
