// The first steps of a company that has just joined, shown on its owner's home page: the bank account, the
// sheet, the first sale; the first menu and the first registration of a canteen.
import type { FirstStep } from "#contract/portal/professional-home.ts";
import { canteenBegun } from "#server/canteen/canteen.ts";
import { bankAccountFor } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import type { OwnSheet } from "#server/partners/partners.ts";
import { hasSold } from "#server/till/till.ts";

/** All steps of the company while one is incomplete; none for a company that sells nothing here. */
export async function firstStepsOf(
  db: Db,
  { companyId, sheets, at }: { companyId: string; sheets: readonly OwnSheet[]; at: Date },
): Promise<FirstStep[]> {
  if (sheets.length === 0) return [];
  const [bank, canteen, sold] = await Promise.all([
    bankAccountFor(db, companyId, at),
    canteenBegun(db, companyId),
    hasSold(db, companyId),
  ]);
  const unwritten = sheets.find(({ isWritten }) => !isWritten);
  const step = (kind: FirstStep["kind"], done: boolean, id: string | null = null): FirstStep => ({
    kind,
    done,
    id,
  });
  const steps = [
    step("bank", bank !== null),
    step("sheet", unwritten === undefined, unwritten?.id ?? null),
    ...(canteen
      ? [step("menu", canteen.menu), step("registration", canteen.registration)]
      : [step("sale", sold)]),
  ];
  return steps.every(({ done }) => done) ? [] : steps;
}
