// The jobs of the canteen and when they run.
import type { Deps } from "#server/process/deps.ts";
import { closePastMeals } from "./day-end.ts";
import { settleIllnesses } from "./illness-certificate.ts";
import { remindOfWarnedMeals } from "./meal-warnings.ts";
import { remindOfMeals } from "./reminders.ts";
import { endRegistrations, remindOfRenewals } from "./renewals.ts";
import { notifyMonthlySpending } from "./spending.ts";
import { advanceWaits } from "./waiting-list.ts";

/** The jobs of the canteen. */
export function canteenTasks(deps: Deps) {
  return {
    close_meals: async () => {
      await closePastMeals(deps);
      await settleIllnesses(deps);
      await endRegistrations(deps);
    },
    advance_meal_waits: () => advanceWaits(deps),
    remind_of_meals: async () => {
      await remindOfWarnedMeals(deps);
      await remindOfMeals(deps);
    },
    remind_of_renewals: () => remindOfRenewals(deps),
    tell_meal_months: () => notifyMonthlySpending(deps),
  };
}

/**
 * Schedule (UTC): free seats are offered to the waiting list each minute; past days and registrations that
 * end with them are closed at night, and again in the morning for what was late; reminders go out at the end
 * of the afternoon, when a parent can still act, those of the next school year in summer; the monthly
 * spending in the morning.
 */
export const canteenRoutines = [
  { task: "advance_meal_waits", cron: "* * * * *" },
  { task: "close_meals", cron: "25 1,6 * * *" },
  { task: "remind_of_meals", cron: "10 16 * * *" },
  { task: "remind_of_renewals", cron: "20 16 * 6-8 *" },
  { task: "tell_meal_months", cron: "40 7 3-9 * *" },
] as const;
