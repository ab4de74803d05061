// The rooms in their order: a room imports only those above it. Adding a room is one line here.
import { allergies } from "./allergies/room.ts";
import { ledger } from "./ledger/room.ts";
import { notifications } from "./notifications/room.ts";
import { identity } from "./identity/room.ts";
import { signedCodes } from "./signed-codes/room.ts";
import { documents } from "./documents/room.ts";
import { family } from "./family/room.ts";
import { cards } from "./cards/room.ts";
import { wallet } from "./wallet/room.ts";
import { content } from "./content/room.ts";
import { portal } from "./portal/room.ts";
import { entitlements } from "./entitlements/room.ts";
import { payments } from "./payments/room.ts";
import { checkout } from "./checkout/room.ts";
import { companies } from "./companies/room.ts";
import { invoices } from "./invoices/room.ts";
import { cardOrders } from "./card-orders/room.ts";
import { grants } from "./grants/room.ts";
import { partners } from "./partners/room.ts";
import { till } from "./till/room.ts";
import { memberships } from "./memberships/room.ts";
import { transit } from "./transit/room.ts";
import { subscriptions } from "./subscriptions/room.ts";
import { passes } from "./passes/room.ts";
import { commuting } from "./commuting/room.ts";
import { tickets } from "./tickets/room.ts";
import { funding } from "./funding/room.ts";
import { kitchen } from "./kitchen/room.ts";
import { meals } from "./meals/room.ts";
import { mealService } from "./meal-service/room.ts";
import { settlement } from "./settlement/room.ts";
import { privacy } from "./privacy/room.ts";
import { contact } from "./contact/room.ts";
import type { Room } from "./process/room.ts";

export const rooms: readonly Room[] = [
  notifications,
  identity,
  ledger,
  signedCodes,
  family,
  documents,
  allergies,
  wallet,
  cards,
  content,
  portal,
  entitlements,
  payments,
  checkout,
  companies,
  invoices,
  cardOrders,
  grants,
  partners,
  till,
  memberships,
  transit,
  subscriptions,
  passes,
  commuting,
  tickets,
  kitchen,
  meals,
  mealService,
  funding,
  settlement,
  privacy,
  contact,
];

for (const { hooks = [] } of rooms) for (const hook of hooks) hook.attach();
