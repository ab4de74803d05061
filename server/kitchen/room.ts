// The kitchen room: which function answers which row, its commands and hooks.
import { kitchenRows } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { attach, type Room } from "#server/process/room.ts";
import { homeCanteen } from "#server/portal/portal.ts";
import { isAnyRegistered, ofCanteen, ofProvider, providerOf, readOwnCanteens } from "./canteens.ts";
import { copyMenus, previewCopy } from "./copied-weeks.ts";
import { readDishLibrary } from "./dish-library.ts";
import { importMenus, previewMenuImport } from "./menu-import.ts";
import {
  deleteMenuTemplate,
  layMenuTemplate,
  previewMenuTemplate,
  readMenuTemplates,
  saveMenuTemplate,
} from "./menu-templates.ts";
import { publishMenus, readMenuWeek, writeMenu } from "./menus.ts";
import { readMessageReaders, readMessages, sendMessage } from "./messages.ts";
import { canteenCommands } from "./operator.ts";
import { changePrices, previewPriceChange, readOwnPrices } from "./price-changes.ts";
import { declarePurchaseShare, readPurchaseShares } from "./purchases.ts";
import { addPrice, endPrice } from "./rules-prices.ts";
import { previewRules, readRules, saveRules } from "./rules.ts";

const handlers = routes("canteen", kitchenRows, {
  ownCanteens: readOwnCanteens,
  purchaseShares: ofProvider(readPurchaseShares),
  declarePurchaseShare: ofProvider(declarePurchaseShare),
  menuWeek: ofProvider(readMenuWeek),
  writeMenu: ofProvider(writeMenu),
  dishLibrary: ofProvider(readDishLibrary),
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
});

export const kitchen: Room = {
  name: "kitchen",
  routes: handlers,
  commands: canteenCommands,
  hooks: [attach({ homeCanteen }, isAnyRegistered)],
};
