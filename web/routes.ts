// The screen of each path of the table, loaded when its path is first entered.
import { paths } from "#contract/paths.ts";
import type { Gates, Screens } from "#web/app/shared/route-entry.ts";
import type { ScreenPath } from "./paths.ts";

export const screens: Screens<ScreenPath> = {
  [paths.login]: () => import("#web/app/shared/states.tsx").then((states) => states.LoginDocument),
  [paths.forgotPassword]: async () =>
    (await import("./identity/forgot-page.tsx")).ForgotPasswordPage,
  [paths.resetPassword]: async () => (await import("./identity/reset-page.tsx")).ResetPasswordPage,
  [paths.denyLogin]: async () => (await import("./identity/deny-page.tsx")).DenyLoginPage,
  [paths.gift]: async () => (await import("./funding/gift-page.tsx")).GiftPage,
  [paths.health]: async () => (await import("./portal/health-page.tsx")).HealthPage,
  [paths.accessibility]: async () => (await import("./content/legal-page.tsx")).AccessibilityPage,
  [paths.legalNotices]: async () => (await import("./content/legal-page.tsx")).LegalNoticesPage,
  [paths.personalData]: async () => (await import("./content/legal-page.tsx")).PersonalDataPage,
  [paths.siteMap]: async () => (await import("./content/site-map-page.tsx")).SiteMapPage,
  [paths.contact]: async () => (await import("./contact/contact-page.tsx")).ContactPage,
  [paths.dashboard]: async () => (await import("./dashboard/dashboard-page.tsx")).DashboardPage,
  [paths.transfer]: async () => (await import("./wallet/transfer-page.tsx")).TransferPage,
  [paths.movements]: async () => (await import("./wallet/history-page.tsx")).WalletHistoryPage,
  [paths.moneyRequest]: async () =>
    (await import("./funding/money-request-page.tsx")).MoneyRequestPage,
  [paths.automations]: async () => (await import("./funding/automations-page.tsx")).AutomationsPage,
  [paths.faq]: async () => (await import("./content/faq-page.tsx")).FaqPage,
  [paths.faqAnswer]: async () => (await import("./content/answer-page.tsx")).FaqAnswerPage,
  [paths.profile]: async () => (await import("./identity/profile-page.tsx")).ProfilePage,
  [paths.contactDetails]: async () =>
    (await import("./identity/contact-details-page.tsx")).ContactDetailsPage,
  [paths.signInSettings]: async () =>
    (await import("./identity/sign-in-settings-page.tsx")).SignInSettingsPage,
  [paths.devices]: async () => (await import("./identity/devices-page.tsx")).DevicesPage,
  [paths.activity]: async () => (await import("./identity/activity-page.tsx")).ActivityPage,
  [paths.ownData]: async () => (await import("./privacy/privacy-page.tsx")).PrivacyPage,
  [paths.notificationChoices]: async () =>
    (await import("./notifications/choices-page.tsx")).NotificationChoicesPage,
  [paths.allergies]: async () => (await import("./allergies/allergies-page.tsx")).AllergiesPage,
  [paths.family]: async () => (await import("./family/family-page.tsx")).FamilyPage,
  [paths.entitlements]: async () => (await import("./entitlements/rights-page.tsx")).RightsPage,
  [paths.familyMember]: async () => (await import("./family/member-page.tsx")).FamilyMemberPage,
  [paths.wallets]: async () => (await import("./wallet/wallets-page.tsx")).WalletsPage,
  [paths.subscription]: async () =>
    (await import("./subscriptions/subscription-page.tsx")).SubscriptionPage,
  [paths.tickets]: async () => (await import("./tickets/tickets-page.tsx")).TicketsPage,
  [paths.tour]: async () => (await import("./family/tour-page.tsx")).TourPage,
  [paths.diagnostic]: async () => (await import("./portal/diagnostic-page.tsx")).DiagnosticPage,
  [paths.services]: async () => (await import("./partners/services-page.tsx")).ServicesPage,
  [paths.directory]: async () => (await import("./partners/directory-page.tsx")).DirectoryPage,
  [paths.categories]: async () => (await import("./partners/categories-page.tsx")).CategoriesPage,
  [paths.repertory]: async () => (await import("./partners/directory-page.tsx")).RepertoryPage,
  [paths.partnerships]: async () =>
    (await import("./partners/partnerships-page.tsx")).PartnershipsPage,
  [paths.partnership]: async () =>
    (await import("./partners/partnerships-page.tsx")).PartnershipPage,
  [paths.company]: async () => (await import("./companies/company-page.tsx")).CompanyPage,
  [paths.service]: async () => (await import("./partners/service-page.tsx")).ServicePage,
  [paths.employeeTransport]: async () =>
    (await import("./commuting/transport-page.tsx")).TransportPage,
  [paths.topUp]: async () => (await import("./wallet/top-up-page.tsx")).TopUpPage,
  [paths.membership]: async () =>
    (await import("./memberships/membership-page.tsx")).MembershipPage,
  [paths.lines]: async () => (await import("./transit/lines-page.tsx")).LinesPage,
  [paths.passPurchase]: async () => (await import("./passes/purchase-page.tsx")).PurchasePage,
  [paths.fares]: async () => (await import("./passes/fares-page.tsx")).FaresPage,
  [paths.cardOrders]: async () => (await import("./card-orders/card-order-page.tsx")).CardOrderPage,
  [paths.proCards]: async () => (await import("./cards/pro-cards-page.tsx")).ProCardsPage,
  [paths.grants]: async () => (await import("./grants/grants-page.tsx")).GrantsPage,
  [paths.invoices]: async () => (await import("./invoices/invoices-page.tsx")).InvoicesPage,
  [paths.settlements]: async () =>
    (await import("./settlement/settlements-page.tsx")).SettlementsPage,
  [paths.canteenDesk]: async () => (await import("./desk/desk-page.tsx")).CanteenDeskPage,
  [paths.menuEditor]: async () => (await import("./kitchen/menu-editor-page.tsx")).MenuEditorPage,
  [paths.mealCounter]: async () => (await import("./meal-service/counter-page.tsx")).CounterPage,
  [paths.canteenProviders]: async () =>
    (await import("./meals/providers-page.tsx")).CanteenProvidersPage,
  [paths.meals]: async () => (await import("./meals/meals-page.tsx")).MealsFollowUpPage,
  [paths.canteenProvider]: async () =>
    (await import("./meals/provider-page.tsx")).CanteenProviderPage,
  [paths.ticketControl]: async () => (await import("./door/door-page.tsx")).DoorPage,
  [paths.till]: async () => (await import("./till/till-page.tsx")).TillPage,
  [paths.spending]: async () => (await import("./wallet/spending-page.tsx")).SpendingPage,
  [paths.points]: async () => (await import("./till/points-page.tsx")).PointsPage,
  [paths.tillPurchase]: async () => (await import("./till/purchase-page.tsx")).TillPurchasePage,
  [paths.tillRequests]: async () => (await import("./till/requests-page.tsx")).TillRequestsPage,
  [paths.canteenFollowUp]: async () =>
    (await import("./meal-service/provider-follow-up-page.tsx")).ProviderFollowUpPage,
};

/** Screens that are entered by data beyond the session: where the person goes instead, null to enter. */
export const gates: Gates<ScreenPath> = {
  [paths.cardOrders]: async () =>
    (await import("./card-orders/card-order-page.tsx")).enterCardOrder(),
};
