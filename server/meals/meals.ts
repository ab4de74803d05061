// What later rooms use of the meals that families order: an ordered meal, its seat, its money and its notices.

export { announceMeal } from "./announcements.ts";
export { settleIllnesses } from "./illness-certificate.ts";
export {
  lockMeals,
  lockMealsWithSeats,
  mealKey,
  mealMemo,
  type MealOrder,
  pushMealChange,
  pushMealChanges,
  pushProviderChange,
} from "./ordered-meals.ts";
export { type MealCost, settleHolds } from "./orders.ts";
export { endRegistrations } from "./renewals.ts";
export { waitingOn } from "./seat-offers.ts";
export { freeSeat, takeHandedSeat } from "./services.ts";
