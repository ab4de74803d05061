// The canteen room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { onAllergensDeclared } from "#server/allergies/allergies.ts";
import { onHolderLeft } from "#server/cards/cards.ts";
import { attach, attachAs, type Room } from "#server/process/room.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { siteOrigin } from "#server/http/site.ts";
import { onVerified } from "#server/ledger/ledger.ts";
import { onDocumentRead } from "#server/documents/documents.ts";
import { answerCertificate, mayReadCertificate, proveIllness } from "./illness-certificate.ts";
import { announceIllness, previewIllness, readIllnesses } from "./illness.ts";
import { readDeskIllnesses } from "./illness-views.ts";
import { withdrawIllness } from "./illness-withdrawal.ts";
import { isAnyRegistered, ofCanteen, ofProvider, providerOf, readOwnCanteens } from "./canteens.ts";
import {
  endDeniedCalendar,
  endFormerCalendar,
  makeCalendar,
  readCalendar,
  readCalendarState,
  revokeCalendar,
} from "./calendar.ts";
import { onLoginDenied, onPasswordChosen } from "#server/identity/identity.ts";
import { companyHome, firstSteps, homeCanteen, homeToDos } from "#server/portal/portal.ts";
import { qrOfOrder } from "./order-code.ts";
import { cancelOrders, keepOrders, previewCancel, printOrders, readOrders } from "./orders.ts";
import { cancelMealsOfLeaver } from "./departure.ts";
import {
  endRegistration,
  readProvider,
  readProviders,
  readRegistrations,
  register,
} from "./providers.ts";
import { chooseUsual, chooseWeeks } from "./periods.ts";
import { chooseMeals, dropRequest } from "./requests.ts";
import {
  answerRegistration,
  classListCsv,
  classListPdf,
  dismissRegistration,
  readDeskRegistrations,
} from "./registrations.ts";
import { printAttestation, readMonthSpending } from "./spending.ts";
import { canteenHome, canteenSteps } from "./provider-home.ts";
import { declarePurchaseShare, readPurchaseShares } from "./purchases.ts";
import { mealSale } from "./sale.ts";
import { canteenRoutines, canteenTasks } from "./jobs.ts";
import { canteenCommands } from "./operator.ts";
import { mealToDos } from "./to-dos.ts";
import { joinWaitingList, leaveWaitingList } from "./waiting-list.ts";
import { readWeek } from "./week.ts";

import { followUpCsv, followUpPdf, readFollowUp } from "./follow-up.ts";
import { refuseMeals, serveMeals, unserveMeals, validateMeals } from "./follow-up-actions.ts";
import { findAtCounter, readCounterPhoto, readDayList } from "./counter.ts";
import {
  deleteMenuTemplate,
  layMenuTemplate,
  previewMenuTemplate,
  readMenuTemplates,
  saveMenuTemplate,
} from "./menu-templates.ts";
import { reviewMealsOf } from "./meal-warnings.ts";
import { importMenus, previewMenuImport } from "./menu-import.ts";
import { copyMenus, previewCopy } from "./copied-weeks.ts";
import { changePrices, previewPriceChange, readOwnPrices } from "./price-changes.ts";
import { publishMenus, readMenuWeek, writeMenu } from "./menus.ts";
import { addClosing, previewClosing, readClosings, removeClosing } from "./closings.ts";
import { readMessageReaders, readMessages, sendMessage } from "./messages.ts";
import { quantitiesPdf, readQuantities } from "./quantities.ts";
import { addPrice, endPrice } from "./rules-prices.ts";
import { onRulesSaved, previewRules, readRules, saveRules } from "./rules.ts";
import { onAllergensAdded } from "./menu-allergens.ts";
import { tellAffectedFamilies } from "./added-allergens.ts";
import { fitSeats } from "./services.ts";
import { readConflicts, settleConflict } from "./conflicts.ts";
import { recordScans } from "./scans.ts";
import { proveMealDues, readStatement, statementCsv } from "./statement.ts";

const handlers = routes("canteen", api.canteen, {
  ownCanteens: readOwnCanteens,
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
  purchaseShares: ofProvider(readPurchaseShares),
  declarePurchaseShare: ofProvider(declarePurchaseShare),
  menuWeek: ofProvider(readMenuWeek),
  writeMenu: ofProvider(writeMenu),
  publishMenus: ofProvider(publishMenus),
  previewCopy: ofProvider(previewCopy),
  copyMenus: ofProvider(copyMenus),
  menuTemplates: ofProvider(readMenuTemplates),
  saveMenuTemplate: ofProvider(saveMenuTemplate),
  previewMenuTemplate: ofProvider(previewMenuTemplate),
  layMenuTemplate: ofProvider(layMenuTemplate),
  deleteMenuTemplate: ofProvider(deleteMenuTemplate),
  previewMenuImport: async (call) =>
    await previewMenuImport({
      ...call,
      provider: await providerOf(call.deps.db, call.company.companyId),
    }),
  importMenus: async (call) =>
    await importMenus({
      ...call,
      provider: await providerOf(call.deps.db, call.company.companyId),
    }),
  quantities: ofProvider(readQuantities),
  quantitiesPdf: ofProvider(quantitiesPdf),
  messages: ofCanteen(readMessages),
  messageReaders: ofCanteen(readMessageReaders),
  sendMessage: ofCanteen(sendMessage),
  rules: ofCanteen(readRules),
  saveRules: ofCanteen(saveRules),
  previewRules: ofCanteen(previewRules),
  addPrice: ofCanteen(addPrice),
  endPrice: ofCanteen(endPrice),
  ownPrices: ofProvider(readOwnPrices),
  previewPriceChange,
  changePrices,
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

export const canteen: Room = {
  name: "canteen",
  routes: handlers,
  tasks: canteenTasks,
  routines: canteenRoutines,
  commands: canteenCommands,
  hooks: [
    attach({ onHolderLeft }, cancelMealsOfLeaver),
    attach({ onAllergensAdded }, tellAffectedFamilies),
    attach({ onRulesSaved }, fitSeats),
    attach({ onAllergensDeclared }, reviewMealsOf),
    attach({ onLoginDenied }, endDeniedCalendar),
    attach({ onPasswordChosen }, endFormerCalendar),
    attach({ onVerified }, proveMealDues),
    attach({ homeToDos }, mealToDos),
    attach({ homeCanteen }, isAnyRegistered),
    attach({ companyHome }, canteenHome),
    attach({ firstSteps }, canteenSteps),
    attachAs({ onDocumentRead }, "illness", mayReadCertificate),
    ...saleHooks(mealSale),
  ],
};
