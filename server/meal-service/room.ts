// The meal-service room: which function answers which row, its jobs and hooks.
import { mealServiceRows } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { attach, type Room } from "#server/process/room.ts";
import { ofCanteen, ofProvider } from "#server/kitchen/kitchen.ts";
import { onVerified } from "#server/ledger/ledger.ts";
import { companyHome, firstSteps } from "#server/portal/portal.ts";
import { readConflicts, settleConflict } from "./conflicts.ts";
import { findAtCounter, readCounterPhoto, readDayList, readNextServices } from "./counter.ts";
import { refuseMeals, serveMeals, unserveMeals, validateMeals } from "./follow-up-actions.ts";
import { followUpCsv, followUpPdf, readFollowUp } from "./follow-up.ts";
import { mealServiceRoutines, mealServiceTasks } from "./jobs.ts";
import { canteenHome, canteenSteps } from "./provider-home.ts";
import { quantitiesPdf, readQuantities } from "./quantities.ts";
import { recordScans } from "./scans.ts";
import { proveMealDues, readStatement, statementCsv } from "./statement.ts";

const handlers = routes("canteen", mealServiceRows, {
  quantities: ofProvider(readQuantities),
  quantitiesPdf: ofProvider(quantitiesPdf),
  nextServices: readNextServices,
  dayList: ofCanteen(readDayList),
  findAtCounter: ofCanteen(findAtCounter),
  recordScans: ofCanteen(recordScans),
  conflicts: ofCanteen(readConflicts),
  settleConflict: ofCanteen(settleConflict),
  counterPhoto: ofCanteen(readCounterPhoto),
  followUp: ofCanteen(readFollowUp),
  validateMeals: ofCanteen(validateMeals),
  serveMeals: ofCanteen(serveMeals),
  unserveMeals: ofCanteen(unserveMeals),
  refuseMeals: ofCanteen(refuseMeals),
  followUpCsv: ofCanteen(followUpCsv),
  followUpPdf: ofCanteen(followUpPdf),
  statement: ofProvider(readStatement),
  statementCsv: ofProvider(statementCsv),
});

export const mealService: Room = {
  name: "meal-service",
  routes: handlers,
  tasks: mealServiceTasks,
  routines: mealServiceRoutines,
  hooks: [
    attach({ onVerified }, proveMealDues),
    attach({ companyHome }, canteenHome),
    attach({ firstSteps }, canteenSteps),
  ],
};
