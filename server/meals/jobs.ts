// The jobs of meals and when they run.
import type { Deps } from "#server/process/deps.ts";
import { remindBeforeDeadlines } from "./evening-reminders.ts";
import { remindOfWarnedMeals } from "./meal-warnings.ts";
import { remindOfMeals } from "./reminders.ts";
import { remindOfRenewals } from "./renewals.ts";
import { notifyMonthlySpending } from "./spending.ts";
import { advanceWaits } from "./waiting-list.ts";

/** The jobs of meals. */
export function mealTasks(deps: Deps) {
  return {
    advance_meal_waits: () => advanceWaits(deps),
    remind_of_meals: async () => {
      await remindOfWarnedMeals(deps);
      await remindOfMeals(deps);
    },
    remind_before_deadlines: async () => {
      await remindBeforeDeadlines(deps);
    },
    remind_of_renewals: () => remindOfRenewals(deps),
    tell_meal_months: () => notifyMonthlySpending(deps),
  };
}

/**
 * Schedule (UTC): free seats are offered to the waiting list each minute; reminders go out at the end of the
 * afternoon, when a parent can still act, those of the next school year in summer; that of the evening before a
 * deadline in the hours of `reminderEvening`, which are others in UTC by season, a later run for whoever missed one;
 * the monthly spending in the morning.
 */
export const mealRoutines = [
  { task: "advance_meal_waits", cron: "* * * * *" },
  { task: "remind_of_meals", cron: "10 16 * * *" },
  { task: "remind_before_deadlines", cron: "30 16-19 * * *" },
  { task: "remind_of_renewals", cron: "20 16 * 6-8 *" },
  { task: "tell_meal_months", cron: "40 7 3-9 * *" },
] as const;
