// The closed months of the demo: each settled at the beginning of the next one, paid out the day after and
// accepted by the bank, as an operator would have done.
import { addDays, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { payoutReference } from "#contract/settlement/states.ts";
import { sql } from "kysely";
import type { Deps } from "#server/process/deps.ts";
import { inTx } from "../db/db.ts";
import { writeTerms } from "../partners/partners.ts";
import { acknowledge, closeMonth, makePayouts, messageIdOf } from "../settlement/settlement.ts";

/** Life of the demo begins so many months ago (life.ts). */
const monthsBack = 8;
const operator = "démonstration";
const canteenTerms = {
  reference: "les-tables-du-lagon",
  discountPercent: 0,
  commissionBasisPoints: 120,
  operator,
};

/** Closes every month that is over; what the last one owes is paid too. */
export async function closeDemoMonths(deps: Deps): Promise<void> {
  const now = deps.now();
  const current = firstOfMonth(parisDay(now));
  const since = instantOfParis(firstOfMonth(current, -monthsBack - 1), "09:00");
  await inTx(deps.db, (tx) => writeTerms(tx, { ...canteenTerms, at: since }));
  for (let back = monthsBack; back > 0; back--) {
    const month = firstOfMonth(current, -back).slice(0, 7);
    const next = firstOfMonth(current, 1 - back);
    const on = (day: number) => {
      const at = instantOfParis(addDays(next, day), "09:30");
      // The letters of these months were read long ago: the bell alone keeps them.
      return { ...deps, send: async () => {}, now: () => (at < now ? at : now) };
    };
    await closeMonth(on(1), { month, operator });
    const executeOn = addDays(next, 3);
    const { number, paid } = await makePayouts(on(2), { executeOn, operator });
    if (number === null) continue;
    const accepted = paid.map((_, index) => payoutReference({ batch: number, place: index + 1 }));
    await acknowledge(on(3), bankAnswer(messageIdOf(number), accepted));
  }
  await sql`update notification set read_at = at where kind = 'invoice' and read_at is null
    and at < ${instantOfParis(current, "00:00")}`.execute(deps.db);
}

/** What the demo's bank answers: everything is paid. */
function bankAnswer(messageId: string, references: readonly string[]): string {
  const transfers = references.map(
    (reference) =>
      `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts>${transfers.join("")}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
}
