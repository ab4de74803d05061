// The first steps of a company that has just joined, shown on its owner's home page: the bank account, the
// sheet, the first sale; the first menu and the first registration of a canteen.
import { type FirstStep, firstStepKinds } from "#contract/portal/professional-home.ts";
import { type CompanyHome, firstSteps } from "./home-hooks.ts";

/**
 * All steps of the company while one is incomplete. `partSteps` are the steps in the parts of its home page: none
 * for a company that sells nothing here, or for a caller who is not an owner; then there are no steps at all.
 */
export async function firstStepsOf(
  home: CompanyHome,
  partSteps: readonly FirstStep[],
): Promise<FirstStep[]> {
  if (partSteps.length === 0) return [];
  const others = await Promise.all(firstSteps.map((stepsOf) => stepsOf(home)));
  const all = [...partSteps, ...others.flat()];
  // A canteen begins with its menu and a registration, not with a sale at a till.
  const isCanteen = all.some(({ kind }) => kind === "menu");
  const steps = all
    .filter(({ kind }) => kind !== "sale" || !isCanteen)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  return steps.every(({ done }) => done) ? [] : steps;
}

const placeOf = ({ kind }: FirstStep): number => firstStepKinds.indexOf(kind);
