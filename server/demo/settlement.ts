// The closed months of the demo: each settled at the beginning of the next one, paid out the day after and
// accepted by the bank, as an operator would have done.
import { addDays, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { payoutReference } from "#contract/settlement/states.ts";
import type { Deps } from "#server/process/deps.ts";
import { inTx } from "../db/db.ts";
import { writeTerms } from "../partners/partners.ts";
import { acknowledge, closeMonth, makePayouts, messageIdOf } from "../settlement/settlement.ts";

/** The demo's events begin so many months ago (events.ts). */
const monthsBack = 8;
const operator = "démonstration";
const canteenTerms = {
  reference: "les-tables-du-lagon",
  discountPercent: 0,
  commissionBasisPoints: 120,
  operator,
};

/** The date on which each past month is closed, the oldest first. */
export const closedMonths = (now: Date): { next: string; at: Date }[] =>
  Array.from({ length: monthsBack }, (_, index) => {
    const next = firstOfMonth(parisDay(now), 1 - monthsBack + index);
    return { next, at: instantOfParis(addDays(next, 1), "09:30") };
  });

/** Sets the canteen's commission, from before its first month is closed. */
export async function agreeOnCommission(deps: Deps): Promise<void> {
  const at = instantOfParis(firstOfMonth(parisDay(deps.now()), -monthsBack - 1), "09:00");
  await inTx(deps.db, (tx) => writeTerms(tx, { ...canteenTerms, at }));
}

/** Closes the month before the first day `next`, and pays out what is owed. */
export async function closeDemoMonth(deps: Deps, next: string): Promise<void> {
  const now = deps.now();
  const on = (day: number) => {
    const at = instantOfParis(addDays(next, day), "09:30");
    // The e-mails of these months were read long ago: only the bell keeps them.
    return { ...deps, send: async () => {}, now: () => (at < now ? at : now) };
  };
  const month = firstOfMonth(next, -1).slice(0, 7);
  const { failures } = await closeMonth(on(1), { month, operator });
  if (failures[0]) throw failures[0].error;
  const executeOn = addDays(next, 3);
  const { number, paid } = await makePayouts(on(2), { executeOn, operator });
  if (number === null) return;
  const accepted = paid.map((_, index) => payoutReference({ batch: number, place: index + 1 }));
  await acknowledge(on(3), bankAnswer(messageIdOf(number), accepted));
}

/** The demo bank's answer: everything is paid. */
function bankAnswer(messageId: string, references: readonly string[]): string {
  const transfers = references.map(
    (reference) =>
      `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts>${transfers.join("")}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
}
