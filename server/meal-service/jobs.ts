// The jobs of the service and when they run.
import { endRegistrations, settleIllnesses } from "#server/meals/meals.ts";
import type { Deps } from "#server/process/deps.ts";
import { closePastMeals } from "./day-end.ts";

/** The jobs of the service. */
export function mealServiceTasks(deps: Deps) {
  return {
    close_meals: async () => {
      await closePastMeals(deps);
      await settleIllnesses(deps);
      await endRegistrations(deps);
    },
  };
}

/**
 * Schedule (UTC): past days and registrations that end with them are closed at night, and again in the morning for
 * what was late.
 */
export const mealServiceRoutines = [{ task: "close_meals", cron: "25 1,6 * * *" }] as const;
