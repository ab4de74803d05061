// The screen of each path of the table, loaded when its path is first entered.
import { spec } from "#contract/limits.ts";
import type { Gates, Screens } from "#web/app/shared/route-entry.ts";
import type { ScreenPath } from "./paths.ts";

export const screens: Screens<ScreenPath> = {
  "/login": () => import("#web/app/shared/states.tsx").then((states) => states.LoginDocument),
  "/identify": async () => (await import("./identity/forgot-page.tsx")).ForgotPasswordPage,
  "/reset/password": async () => (await import("./identity/reset-page.tsx")).ResetPasswordPage,
  "/securite/pas-moi": async () => (await import("./identity/deny-page.tsx")).DenyLoginPage,
  "/recharge/proche": async () => (await import("./funding/gift-page.tsx")).GiftPage,
  "/health": async () => (await import("./portal/health-page.tsx")).HealthPage,
  "/informations/accessibilite": async () =>
    (await import("./content/legal-page.tsx")).AccessibilityPage,
  "/informations/mentions-legales": async () =>
    (await import("./content/legal-page.tsx")).LegalNoticesPage,
  "/informations/donnees": async () => (await import("./content/legal-page.tsx")).PersonalDataPage,
  "/informations/plan": async () => (await import("./content/site-map-page.tsx")).SiteMapPage,
  "/contact": async () => (await import("./contact/contact-page.tsx")).ContactPage,
  "/dashboard": async () => (await import("./dashboard/dashboard-page.tsx")).DashboardPage,
  "/cagnottes/virement": async () => (await import("./wallet/transfer-page.tsx")).TransferPage,
  "/cagnottes/:objectID/operations": async () =>
    (await import("./wallet/history-page.tsx")).WalletHistoryPage,
  "/cagnottes/:objectID/automatismes": async () =>
    (await import("./funding/automations-page.tsx")).AutomationsPage,
  "/faq": async () => (await import("./content/faq-page.tsx")).FaqPage,
  "/faq/:id": async () => (await import("./content/answer-page.tsx")).FaqAnswerPage,
  "/profil": async () => (await import("./identity/profile-page.tsx")).ProfilePage,
  "/profil/donnees": async () => (await import("./privacy/privacy-page.tsx")).PrivacyPage,
  "/profil/notifications": async () =>
    (await import("./notifications/choices-page.tsx")).NotificationChoicesPage,
  "/profil/allergenes": async () => (await import("./allergies/allergies-page.tsx")).AllergiesPage,
  "/family": async () => (await import("./family/family-page.tsx")).FamilyPage,
  "/family/droits": async () => (await import("./entitlements/rights-page.tsx")).RightsPage,
  "/family/:cardnumber": async () => (await import("./family/member-page.tsx")).FamilyMemberPage,
  "/services/cagnottes": async () => (await import("./wallet/wallets-page.tsx")).WalletsPage,
  "/servivces/abonnement": async () =>
    (await import("./subscriptions/subscription-page.tsx")).SubscriptionPage,
  "/services/E-Billet": async () => (await import("./tickets/tickets-page.tsx")).TicketsPage,
  "/test/bien": async () => (await import("./portal/diagnostic-page.tsx")).DiagnosticPage,
  [spec.defaultServicesPath]: async () =>
    (await import("./partners/services-page.tsx")).ServicesPage,
  "/services/partner": async () => (await import("./partners/directory-page.tsx")).DirectoryPage,
  "/professional/category": async () =>
    (await import("./partners/categories-page.tsx")).CategoriesPage,
  "/professional/repertory": async () =>
    (await import("./partners/directory-page.tsx")).RepertoryPage,
  "/professional/partenaire": async () =>
    (await import("./partners/partnerships-page.tsx")).PartnershipsPage,
  "/partenaire/:id": async () => (await import("./partners/partnerships-page.tsx")).PartnershipPage,
  "/professional/entreprise": async () =>
    (await import("./companies/company-page.tsx")).CompanyPage,
  "/services/:code": async () => (await import("./partners/service-page.tsx")).ServicePage,
  "/services/:code/:id": async () => (await import("./commuting/transport-page.tsx")).TransportPage,
  "/services/:objectID/:name/:idgroup": async () =>
    (await import("./wallet/top-up-page.tsx")).TopUpPage,
  "/:code_services": async () => (await import("./memberships/membership-page.tsx")).MembershipPage,
  "/Abonnement/ligne": async () => (await import("./transit/lines-page.tsx")).LinesPage,
  "/Abonnement/ligne/purchase/abonnement": async () =>
    (await import("./passes/purchase-page.tsx")).PurchasePage,
  "/Abonnement/ligne/:group": async () => (await import("./passes/fares-page.tsx")).FaresPage,
  "/card": async () => (await import("./card-orders/card-order-page.tsx")).CardOrderPage,
  "/professional/card_pro": async () => (await import("./cards/pro-cards-page.tsx")).ProCardsPage,
  "/professional/dotations": async () => (await import("./grants/grants-page.tsx")).GrantsPage,
  "/professional/invoice": async () => (await import("./invoices/invoices-page.tsx")).InvoicesPage,
  "/professional/reglements": async () =>
    (await import("./settlement/settlements-page.tsx")).SettlementsPage,
  "/pro/cantine": async () => (await import("./canteen/desk-page.tsx")).CanteenDeskPage,
  "/partenaire/validation": async () => (await import("./canteen/counter-page.tsx")).CounterPage,
  "/commande/cantine": async () =>
    (await import("./canteen/providers-page.tsx")).CanteenProvidersPage,
  "/commande/cantine/suivi": async () =>
    (await import("./canteen/follow-up-page.tsx")).MealsFollowUpPage,
  "/commande/cantine/:name/:idgroup": async () =>
    (await import("./canteen/provider-page.tsx")).CanteenProviderPage,
  "/partenaire/billets": async () => (await import("./door/door-page.tsx")).DoorPage,
  "/partenaire/caisse": async () => (await import("./till/till-page.tsx")).TillPage,
  "/cagnottes/points": async () => (await import("./till/points-page.tsx")).PointsPage,
  "/cagnottes/achats/:sale": async () =>
    (await import("./till/purchase-page.tsx")).TillPurchasePage,
  "/cagnottes/demandes": async () => (await import("./till/requests-page.tsx")).TillRequestsPage,
  "/partenaire/Suivi_cantine": async () =>
    (await import("./canteen/provider-follow-up-page.tsx")).ProviderFollowUpPage,
};

/** Screens that are entered by data beyond the session: where the person goes instead, null to enter. */
export const gates: Gates<ScreenPath> = {
  "/card": async () => (await import("./card-orders/card-order-page.tsx")).enterCardOrder(),
};
