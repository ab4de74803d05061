// The tour of the first day leads to a top-up: afterwards it goes on at its next step, in the same tab.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SearchOf } from "#contract/searches.ts";
import { dropDraft, keepDraft, readDraft } from "#web/ui/draft.ts";

type Step = SearchOf<"tour">["step"];
interface Values {
  step: Step;
}

const draft = { name: "tour", fields: ["step"] } as const;

/** The tour was left at a top-up, and goes on at this step. */
export const keepTourStep = (step: Step): void => keepDraft<Values>(draft, { step });

/** Where it goes on; null where it was not left so. */
export function tourReturn(): string | null {
  const { step } = readDraft<Values>(draft, { step: undefined });
  return step === undefined ? null : linkTo(paths.tour, {}, { step });
}

/** The tour is open again, or over. */
export const dropTourStep = (): void => dropDraft(draft.name);
