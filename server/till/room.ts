// The till room: which function answers which row, its jobs and its hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { firstSteps, homeToDos, personalToDos } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { onReversed } from "#server/wallet/wallet.ts";
import {
  addArticle,
  changeArticle,
  orderArticles,
  readArticles,
  removeArticle,
} from "./articles.ts";
import { countNumber } from "./charge-request.ts";
import { closingPdf, closingsCsv } from "./closing-files.ts";
import { closeTill, readClosings, readRunning } from "./closings.ts";
import { daysCsv, daysPdf } from "./day-files.ts";
import { readDays } from "./days.ts";
import {
  readCashiers,
  readReturns,
  readSale,
  readSales,
  readToday,
  salesCsv,
} from "./sales-list.ts";
import { offlineLossesCsv, readOfflineLosses } from "./offline-losses.ts";
import { purchaseReceipt, readPurchase } from "./purchases.ts";
import { recordOffline } from "./offline.ts";
import { readPartnerFigures } from "./partner-figures.ts";
import { answerRequest, professionalTillToDos, readRequests, tillToDos } from "./requests.ts";
import { cancelSale, refundSale, returnReversed, withdrawSale } from "./returns.ts";
import { saleReceipt, sendReceipt } from "./sale-receipt.ts";
import { saleStep } from "./sales.ts";
import { paySaleByCode, sendSaleCode } from "./spoken-code.ts";
import { readMovements, readPoints } from "./point-balances.ts";
import { charge, readCounters, tillRoutines, tillTasks } from "./till.ts";

const handlers = routes("till", api.till, {
  counters: readCounters,
  charge: async (call) => {
    await countNumber(call.deps, call.caller.personId, call.input);
    return await charge(call);
  },
  articles: readArticles,
  addArticle,
  changeArticle,
  removeArticle,
  orderArticles,
  today: readToday,
  sale: readSale,
  returns: readReturns,
  saleReceipt,
  sendReceipt,
  sales: readSales,
  salesFile: salesCsv,
  cashiers: readCashiers,
  sendCode: sendSaleCode,
  payByCode: paySaleByCode,
  withdraw: withdrawSale,
  cancel: cancelSale,
  refund: refundSale,
  running: readRunning,
  close: closeTill,
  closings: readClosings,
  closingPdf,
  closingsFile: closingsCsv,
  days: readDays,
  daysFile: daysCsv,
  daysPdf,
  requests: readRequests,
  answer: answerRequest,
  purchase: readPurchase,
  purchaseReceipt,
  partnerFigures: readPartnerFigures,
  recordOffline,
  offlineLosses: readOfflineLosses,
  offlineLossesFile: offlineLossesCsv,
});

const pointHandlers = routes("loyalty", api.loyalty, {
  points: readPoints,
  movements: readMovements,
});

export const till: Room = {
  name: "till",
  routes: [...handlers, ...pointHandlers],
  tasks: tillTasks,
  routines: tillRoutines,
  hooks: [
    attach({ onReversed }, returnReversed),
    attach({ homeToDos }, tillToDos),
    attach({ personalToDos }, professionalTillToDos),
    attach({ firstSteps }, saleStep),
  ],
};
