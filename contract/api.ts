// Table of contents of the contract: every call of the portal by group, a room or a part of one. The name of
// a group is public (`operationId` of /api/openapi.json) and stored (rate limits are counted by it), so it
// stays when a room joins another or is divided.
import { canteenDesk } from "./meals/desk.ts";
import { canteenFollowUp } from "./meal-service/follow-up.ts";
import { canteenMenuImport } from "./kitchen/menu-import.ts";
import { canteenIllness } from "./meals/illness.ts";
import { canteenDishes } from "./kitchen/dish-library.ts";
import { canteenMenus } from "./kitchen/menus.ts";
import { canteenClosings } from "./meals/closings.ts";
import { canteenCalendar } from "./meals/calendar.ts";
import { canteenMessages } from "./kitchen/messages.ts";
import { canteenSpending } from "./meals/spending.ts";
import { canteenMonth } from "./meals/month.ts";
import { canteenOrders } from "./meals/orders.ts";
import { canteenOwn } from "./kitchen/own.ts";
import { canteenPurchases } from "./kitchen/purchases.ts";
import { canteenQuantities } from "./meal-service/quantities.ts";
import { canteenRegistrations } from "./meals/registrations.ts";
import { canteenConflicts } from "./meal-service/conflicts.ts";
import { canteenPriceChanges } from "./kitchen/price-changes.ts";
import { canteenRules } from "./kitchen/rules.ts";
import { canteenService } from "./meal-service/service.ts";
import { canteenStatement } from "./meal-service/statement.ts";
import { canteenWaitingList } from "./meals/waiting-list.ts";
import { cardDispatch } from "./card-orders/dispatch.ts";
import { cardOrders } from "./card-orders/rows.ts";
import { cards } from "./cards/rows.ts";
import { purchases } from "./checkout/purchases.ts";
import { commuting } from "./commuting/rows.ts";
import { companyBank } from "./companies/bank.ts";
import { companyPeople } from "./companies/people.ts";
import { companies } from "./companies/rows.ts";
import { proCards } from "./companies/pro-cards.ts";
import { contact } from "./contact/rows.ts";
import { content } from "./content/rows.ts";
import { custody } from "./family/custody.ts";
import { documents } from "./documents/rows.ts";
import type { Row } from "./endpoint.ts";
import { enrolment } from "./cards/first-card-requests.ts";
import { entitlements } from "./entitlements/rows.ts";
import { family } from "./family/rows.ts";
import { avatars } from "./documents/avatars.ts";
import { allergies } from "./allergies/rows.ts";
import { gifts } from "./funding/gifts.ts";
import { moneyRequests } from "./funding/money-requests.ts";
import { fundings } from "./funding/rows.ts";
import { homeProfessional } from "./portal/professional-home.ts";
import { grants } from "./grants/rows.ts";
import { loyalty } from "./till/points.ts";
import { memberships } from "./memberships/rows.ts";
import { home } from "./portal/home.ts";
import { identity } from "./identity/rows.ts";
import { invoices } from "./invoices/rows.ts";
import { notifications } from "./notifications/rows.ts";
import { passControl } from "./passes/control.ts";
import { passPrint } from "./passes/print.ts";
import { passes } from "./passes/rows.ts";
import { partnersIdentity } from "./partners/identity.ts";
import { partnersOwn } from "./partners/own.ts";
import { partnersSheet } from "./partners/sheet.ts";
import { partners } from "./partners/rows.ts";
import { partnerships } from "./partners/partnerships.ts";
import { payments } from "./payments/rows.ts";
import { portal } from "./portal/rows.ts";
import { privacy } from "./privacy/rows.ts";
import { signIn } from "./identity/sign-in.ts";
import { signedCodes } from "./signed-codes/rows.ts";
import { transit } from "./transit/rows.ts";
import { settlements } from "./settlement/rows.ts";
import { subscriptions } from "./subscriptions/rows.ts";
import { tickets } from "./tickets/rows.ts";
import { tillArticles } from "./till/articles.ts";
import { tillClosings } from "./till/closings.ts";
import { tillDays } from "./till/days.ts";
import { tillOffline } from "./till/offline.ts";
import { tillPartnerships } from "./till/partnerships.ts";
import { tillPurchases } from "./till/purchases.ts";
import { till } from "./till/rows.ts";
import { tillSales } from "./till/sales.ts";
import { walletSent } from "./wallet/sent.ts";
import { walletSpending } from "./wallet/spending.ts";
import { wallets } from "./wallet/rows.ts";

/** The rows of the group `canteen` are of three rooms. */
export const kitchenRows = {
  ...canteenOwn,
  ...canteenRules,
  ...canteenPriceChanges,
  ...canteenMenus,
  ...canteenDishes,
  ...canteenMenuImport,
  ...canteenPurchases,
  ...canteenMessages,
} as const;
export const mealRows = {
  ...canteenDesk,
  ...canteenRegistrations,
  ...canteenOrders,
  ...canteenMonth,
  ...canteenWaitingList,
  ...canteenIllness,
  ...canteenClosings,
  ...canteenCalendar,
  ...canteenSpending,
} as const;
export const mealServiceRows = {
  ...canteenService,
  ...canteenConflicts,
  ...canteenFollowUp,
  ...canteenQuantities,
  ...canteenStatement,
} as const;

export const api = {
  identity: { ...identity, ...signIn },
  signedCodes,
  documents,
  family: { ...family, ...custody },
  avatars,
  allergies,
  cards,
  wallet: { ...wallets, ...walletSent, ...walletSpending },
  enrolment,
  entitlements,
  payments,
  checkout: purchases,
  transit,
  subscriptions,
  passes: { ...passes, ...passPrint, ...passControl },
  commuting,
  companies: { ...companies, ...companyPeople, ...companyBank, ...proCards },
  invoices,
  partners: { ...partners, ...partnersOwn, ...partnersSheet, ...partnersIdentity },
  loyalty,
  partnerships,
  till: {
    ...till,
    ...tillSales,
    ...tillPurchases,
    ...tillArticles,
    ...tillClosings,
    ...tillDays,
    ...tillOffline,
    ...tillPartnerships,
  },
  settlement: settlements,
  cardOrders: { ...cardOrders, ...cardDispatch },
  grants,
  memberships,
  funding: { ...fundings, ...gifts },
  moneyRequests,
  notifications,
  tickets,
  canteen: { ...kitchenRows, ...mealRows, ...mealServiceRows },
  content,
  privacy,
  contact,
  home: { ...home, ...homeProfessional },
  portal,
} as const;

/** Every row with its name `group.row`. */
export function everyRow(): { name: string; row: Row }[] {
  return Object.entries(api).flatMap(([group, rows]) =>
    Object.entries(rows as Record<string, Row>).map(([name, row]) => ({
      name: `${group}.${name}`,
      row,
    })),
  );
}
