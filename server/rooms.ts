// The rooms in their order: a room imports only those above it. This list is the import law; the back
// roads by which an earlier room reaches later ones are filled here, and nowhere else.
import { onOpposed } from "./cards/cards.ts";
import { onDocumentRead } from "./documents/documents.ts";
import type { Route } from "./http/serve.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { identityRoutes } from "./identity/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { familyRoutes } from "./family/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import { walletRoutes } from "./wallet/routes.ts";
import { enrolmentRoutes } from "./enrolment/routes.ts";
import { entitlementRoutes } from "./entitlements/routes.ts";
import { onOrderPaid, onOrderPaymentEnded, onTopUpRest } from "./payments/payments.ts";
import { paymentRoutes } from "./payments/routes.ts";
import { transitRoutes } from "./transit/routes.ts";
import { passRoutes } from "./passes/routes.ts";
import { mayReadOrder, reopenUnpaid, revokeQrs, settlePaid } from "./passes/passes.ts";
import { partnerRoutes } from "./partners/routes.ts";
import { subscriptionRoutes } from "./subscriptions/routes.ts";
import { mayReadPaper, orderPaid, orderPaymentEnded } from "./subscriptions/subscriptions.ts";
import { ticketRoutes } from "./tickets/routes.ts";
import {
  orderPaid as ticketsPaid,
  orderPaymentEnded as ticketsUnpaid,
  renewTicketCodes,
} from "./tickets/tickets.ts";
import { contactRoutes } from "./contact/routes.ts";
import { fundingRoutes } from "./funding/routes.ts";
import { heardOfLink, heardOfRule } from "./funding/funding.ts";
import { contentRoutes } from "./content/routes.ts";
import { privacyRoutes } from "./privacy/routes.ts";
import { portalRoutes } from "./portal/routes.ts";

/** Names in import order. */
export const roomOrder = [
  "ledger",
  "notifications",
  "identity",
  "documents",
  "family",
  "health",
  "cards",
  "wallet",
  "enrolment",
  "entitlements",
  "payments",
  "partners",
  "transit",
  "subscriptions",
  "passes",
  "tickets",
  "funding",
  "content",
  "privacy",
  "contact",
  "portal",
  "demo",
] as const;

export const everyRoute: readonly Route[] = [
  ...notificationRoutes,
  ...identityRoutes,
  ...documentRoutes,
  ...familyRoutes,
  ...healthRoutes,
  ...cardRoutes,
  ...walletRoutes,
  ...enrolmentRoutes,
  ...entitlementRoutes,
  ...paymentRoutes,
  ...partnerRoutes,
  ...transitRoutes,
  ...subscriptionRoutes,
  ...passRoutes,
  ...ticketRoutes,
  ...fundingRoutes,
  ...contentRoutes,
  ...privacyRoutes,
  ...contactRoutes,
  ...portalRoutes,
];

onOpposed.push(revokeQrs);
onDocumentRead["subscription_paper"] = mayReadPaper;
onOrderPaid.subscription = orderPaid;
onOrderPaymentEnded.subscription = orderPaymentEnded;
onOpposed.push(renewTicketCodes);
onOrderPaid.tickets = ticketsPaid;
onOrderPaymentEnded.tickets = ticketsUnpaid;
onDocumentRead["pass_photo"] = mayReadOrder;
onDocumentRead["pass_exemption"] = mayReadOrder;
onOrderPaid.pass = settlePaid;
onOrderPaymentEnded.pass = reopenUnpaid;
onTopUpRest.rule = heardOfRule;
onTopUpRest.link = heardOfLink;
