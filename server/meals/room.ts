// The meals room: which function answers which row, its jobs and hooks.
import { mealRows } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { attach, attachAs, type Room } from "#server/process/room.ts";
import { onAllergensDeclared } from "#server/allergies/allergies.ts";
import { onHolderLeft } from "#server/cards/cards.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { onDocumentRead } from "#server/documents/documents.ts";
import { siteOrigin } from "#server/http/site.ts";
import { onLoginDenied, onPasswordChosen } from "#server/identity/identity.ts";
import { ofCanteen, onAllergensAdded, onRulesSaved } from "#server/kitchen/kitchen.ts";
import { homeDayFacts, homeToDos } from "#server/portal/portal.ts";
import { tellAffectedFamilies } from "./added-allergens.ts";
import {
  endDeniedCalendar,
  endFormerCalendar,
  makeCalendar,
  readCalendar,
  readCalendarState,
  revokeCalendar,
} from "./calendar.ts";
import { addClosing, previewClosing, readClosings, removeClosing } from "./closings.ts";
import { cancelMealsOfLeaver } from "./departure.ts";
import { mealsOfDays } from "./home-meals.ts";
import { answerCertificate, mayReadCertificate, proveIllness } from "./illness-certificate.ts";
import { readDeskIllnesses } from "./illness-views.ts";
import { withdrawIllness } from "./illness-withdrawal.ts";
import { announceIllness, previewIllness, readIllnesses } from "./illness.ts";
import { mealRoutines, mealTasks } from "./jobs.ts";
import { reviewMealsOf } from "./meal-warnings.ts";
import { readMonth } from "./month.ts";
import { qrOfOrder } from "./order-code.ts";
import { cancelOrders, keepOrders, previewCancel, printOrders, readOrders } from "./orders.ts";
import { chooseUsual, chooseWeeks } from "./periods.ts";
import {
  endRegistration,
  readProvider,
  readProviders,
  readRegistrations,
  register,
} from "./providers.ts";
import {
  answerRegistration,
  classListCsv,
  classListPdf,
  dismissRegistration,
  readDeskRegistrations,
} from "./registrations.ts";
import { chooseMeals, dropRequest } from "./requests.ts";
import { mealSale } from "./sale.ts";
import { fitSeats } from "./services.ts";
import { printAttestation, readMonthSpending } from "./spending.ts";
import { mealToDos } from "./to-dos.ts";
import { joinWaitingList, leaveWaitingList } from "./waiting-list.ts";
import { readWeek } from "./week.ts";

const handlers = routes("canteen", mealRows, {
  providers: readProviders,
  provider: readProvider,
  registrations: readRegistrations,
  register,
  endRegistration,
  week: readWeek,
  choose: chooseMeals,
  chooseWeeks,
  chooseUsual,
  dropRequest,
  joinWaitingList,
  leaveWaitingList,
  pay: async ({ deps, caller, origin, request, input }) => {
    const { request: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    return { payment: await pay(deps, mealSale, { ...from, orderId, ...paymentInput }) };
  },
  calendar: readCalendarState,
  makeCalendar: async (made) => await makeCalendar(made, siteOrigin(made.deps, made.request)),
  revokeCalendar,
  readCalendar: async ({ deps, input, origin, request }) =>
    await readCalendar(deps, {
      secret: input.secret,
      origin,
      etag: request.headers["if-none-match"],
      site: siteOrigin(deps, request),
    }),
  orders: readOrders,
  month: readMonth,
  orderQr: qrOfOrder,
  cancelPreview: previewCancel,
  cancelOrders,
  keepOrders,
  print: printOrders,
  monthSpending: readMonthSpending,
  yearAttestation: printAttestation,
  deskRegistrations: ofCanteen(readDeskRegistrations),
  answerRegistration,
  dismissRegistration,
  classListCsv: ofCanteen(classListCsv),
  classListPdf: ofCanteen(classListPdf),
  closings: ofCanteen(readClosings),
  previewClosing: ofCanteen(previewClosing),
  addClosing: ofCanteen(addClosing),
  removeClosing: ofCanteen(removeClosing),
  illnesses: readIllnesses,
  illnessPreview: previewIllness,
  announceIllness,
  proveIllness,
  withdrawIllness,
  deskIllnesses: ofCanteen(readDeskIllnesses),
  answerCertificate: ofCanteen(answerCertificate),
});

export const meals: Room = {
  name: "meals",
  routes: handlers,
  tasks: mealTasks,
  routines: mealRoutines,
  hooks: [
    attach({ onHolderLeft }, cancelMealsOfLeaver),
    attach({ onAllergensDeclared }, reviewMealsOf),
    attach({ onAllergensAdded }, tellAffectedFamilies),
    attach({ onRulesSaved }, fitSeats),
    attach({ onLoginDenied }, endDeniedCalendar),
    attach({ onPasswordChosen }, endFormerCalendar),
    attach({ homeToDos }, mealToDos),
    attach({ homeDayFacts }, mealsOfDays),
    attachAs({ onDocumentRead }, "illness", mayReadCertificate),
    ...saleHooks(mealSale),
  ],
};
