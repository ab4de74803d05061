// The one route table: every path and name of the specification, who may enter and what is shown.
// The odd spellings of the specification's addresses live here and nowhere else in web/.
// An entry without a screen is not built yet: behind its guard it shows the not-found page, and no
// menu leads to it.
import { spec } from "#contract/limits.ts";
import type { Guard } from "./app/guards.ts";
import { fill, type Parameters } from "./app/paths.ts";
import type { Entry } from "./app/route-entry.ts";

const open: Guard = { kind: "open" };
const guest: Guard = { kind: "guest" };
const reset: Guard = { kind: "reset" };
const person: Guard = { kind: "person" };
const only = (type: 1 | 2, otherwise: string): Guard => ({ kind: "person", type, otherwise });

const entry = { layout: "entry" } as const;
const shell = { layout: "shell" } as const;

export const table = [
  // Public and session routes (spec §2)
  {
    path: "/login",
    name: "login",
    layout: "plain",
    guard: guest,
    title: "Connexion",
    screen: () => import("./app/states.tsx").then((states) => states.LoginDocument),
  },
  {
    path: "/identify",
    name: "forgotPassword",
    ...entry,
    guard: guest,
    title: "Mot de passe oublié",
    screen: async () => (await import("./identity/forgot-page.tsx")).ForgotPasswordPage,
  },
  { path: "/forgot-password", name: null, ...entry, guard: open, redirect: "/identify" },
  { path: "/forgot-password/identify", name: null, ...entry, guard: open, redirect: "/identify" },
  {
    path: "/reset/password",
    name: "resetPassword",
    ...entry,
    guard: reset,
    title: "Nouveau mot de passe",
    screen: async () => (await import("./identity/reset-page.tsx")).ResetPasswordPage,
  },
  { path: "/reset-password", name: null, ...entry, guard: open, redirect: "/reset/password" },
  {
    path: "/reset-password/reset/password",
    name: null,
    ...entry,
    guard: open,
    redirect: "/reset/password",
  },
  // Not in the specification: two segments, so that no service code is shadowed (décision 6).
  {
    path: "/securite/pas-moi",
    name: null,
    ...entry,
    guard: open,
    title: "Ce n’était pas moi",
    screen: async () => (await import("./identity/deny-page.tsx")).DenyLoginPage,
  },
  {
    path: "/recharge/proche",
    name: null,
    ...entry,
    guard: open,
    title: "Recharge pour un proche",
    screen: async () => (await import("./wallet/gift-page.tsx")).GiftPage,
  },
  {
    path: "/health",
    name: null,
    ...entry,
    guard: open,
    title: "État du service",
    screen: async () => (await import("./portal/health-page.tsx")).HealthPage,
  },

  // Main layout
  { path: "/", name: null, ...shell, guard: person, redirect: "/dashboard" },
  {
    path: "/contact",
    name: "contact",
    ...shell,
    guard: person,
    title: "Contact",
    screen: async () => (await import("./contact/contact-page.tsx")).ContactPage,
  },
  {
    path: "/dashboard",
    name: "dashboard",
    ...shell,
    guard: person,
    screen: async () => (await import("./dashboard/dashboard-page.tsx")).DashboardPage,
  },
  // Not in the specification: two segments, so that no service code is shadowed (décision 6).
  {
    path: "/cagnottes/virement",
    name: null,
    ...shell,
    guard: person,
    title: "Virement",
    screen: async () => (await import("./dashboard/transfer-page.tsx")).TransferPage,
  },
  {
    path: "/cagnottes/:objectID/operations",
    name: null,
    ...shell,
    guard: person,
    title: "Opérations",
    screen: async () => (await import("./wallet/history-page.tsx")).WalletHistoryPage,
  },
  {
    path: "/cagnottes/:objectID/automatismes",
    name: null,
    ...shell,
    guard: person,
    title: "Alertes et recharge automatique",
    screen: async () => (await import("./wallet/automations-page.tsx")).AutomationsPage,
  },
  {
    path: "/faq",
    name: "faq",
    ...shell,
    guard: person,
    title: "Aide",
    screen: async () => (await import("./content/faq-page.tsx")).FaqPage,
  },
  {
    path: "/faq/:id",
    name: "detail",
    ...shell,
    guard: person,
    title: "Aide",
    screen: async () => (await import("./content/answer-page.tsx")).FaqAnswerPage,
  },
  {
    path: "/profil",
    name: "profil",
    ...shell,
    guard: person,
    title: "Profil",
    screen: async () => (await import("./identity/profile-page.tsx")).ProfilePage,
  },
  {
    path: "/profil/donnees",
    name: null,
    ...shell,
    guard: person,
    title: "Mes données",
    screen: async () => (await import("./privacy/privacy-page.tsx")).PrivacyPage,
  },
  {
    path: "/profil/allergenes",
    name: null,
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Allergènes",
    screen: async () => (await import("./privacy/health-page.tsx")).HealthPage,
  },
  {
    path: "/family",
    name: "family",
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Famille",
    screen: async () => (await import("./family/family-page.tsx")).FamilyPage,
  },
  // Not in the specification: two segments, so that no service code is shadowed (décision 6).
  {
    path: "/family/droits",
    name: null,
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Droits et justificatifs",
    screen: async () => (await import("./family/rights-page.tsx")).RightsPage,
  },
  {
    path: "/family/:cardnumber",
    name: "familydetail",
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Famille",
    screen: async () => (await import("./family/member-page.tsx")).FamilyMemberPage,
  },
  {
    path: "/services/cagnottes",
    name: "services_cagnotte_public",
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Cagnottes",
    screen: async () => (await import("./wallet/wallets-page.tsx")).WalletsPage,
  },
  {
    path: "/servivces/abonnement",
    name: "Abonnement_user",
    ...shell,
    guard: only(1, "/dashboard"),
    title: "Abonnement",
    screen: async () => (await import("./subscriptions/subscription-page.tsx")).SubscriptionPage,
  },
  {
    path: "/services/E-Billet",
    name: "Billet_public",
    ...shell,
    guard: only(1, "/dashboard"),
    title: "E-billets",
    screen: async () => (await import("./tickets/tickets-page.tsx")).TicketsPage,
  },
  {
    path: "/test/bien",
    name: "test",
    ...shell,
    guard: person,
    title: "Diagnostic",
    screen: async () => (await import("./portal/diagnostic-page.tsx")).DiagnosticPage,
  },
  {
    path: "/professional",
    name: "professional",
    ...shell,
    guard: only(2, "/"),
    redirect: "/professional/repertory",
  },
  { path: "/professional/category", name: "category", ...shell, guard: only(2, "/") },
  { path: "/professional/repertory", name: "repertory", ...shell, guard: only(2, "/") },
  { path: "/professional/invoice", name: "invoice", ...shell, guard: only(2, "/") },
  { path: "/professional/card_pro", name: "card_pro", ...shell, guard: only(2, "/") },
  { path: "/professional/partenaire", name: "partenaire", ...shell, guard: only(2, "/") },
  {
    path: spec.defaultServicesPath,
    name: "services_list_local",
    ...shell,
    guard: person,
    title: "Services",
    screen: async () => (await import("./partners/services-page.tsx")).ServicesPage,
  },
  {
    path: "/services/partner",
    name: "Partner_components",
    ...shell,
    guard: person,
    title: "Où ma carte est acceptée",
    screen: async () => (await import("./partners/directory-page.tsx")).DirectoryPage,
  },
  {
    path: "/services/:code",
    name: "service-index",
    ...shell,
    guard: person,
    title: "Service",
    screen: async () => (await import("./partners/service-page.tsx")).ServicePage,
  },
  {
    path: "/services/:code/:id",
    name: "Transport_mobile",
    ...shell,
    guard: only(2, "/login"),
    title: "Transport des salariés",
    screen: async () => (await import("./partners/transport-page.tsx")).TransportPage,
  },
  {
    path: "/services/:objectID/:name/:idgroup",
    name: "recharge_cagnotte",
    ...shell,
    guard: person,
    title: "Recharge",
    screen: async () => (await import("./wallet/top-up-page.tsx")).TopUpPage,
  },
  { path: "/:code_services", name: "adhesion_page", ...shell, guard: person },

  // Other layouts
  { path: "/card", name: "Pro_card", ...shell, guard: only(2, "/professional/card_pro") },
  {
    path: "/Abonnement/ligne",
    name: "AbonnementbusCpp_transport",
    ...shell,
    guard: only(1, "/login"),
    title: "Bus",
    screen: async () => (await import("./transit/lines-page.tsx")).LinesPage,
  },
  {
    path: "/Abonnement/ligne/purchase/abonnement",
    name: "Purchache_Abonnement",
    ...shell,
    guard: only(1, "/login"),
    title: "Achat d’un titre",
    screen: async () => (await import("./passes/purchase-page.tsx")).PurchasePage,
  },
  {
    path: "/Abonnement/ligne/:group",
    name: "Product_Abonnement",
    ...shell,
    guard: only(1, "/login"),
    title: "Titres de transport",
    screen: async () => (await import("./passes/fares-page.tsx")).FaresPage,
  },
  {
    path: "/commande/cantine",
    name: "List_of_pretataire_of_cantine",
    ...shell,
    guard: only(1, "/login"),
  },
  {
    path: "/commande/cantine/suivi",
    name: "suivi_de_demande_cantine",
    ...shell,
    guard: only(1, "/login"),
  },
  {
    path: "/commande/cantine/:name/:idgroup",
    name: "product_cantine_futures",
    ...shell,
    guard: only(1, "/login"),
  },
  { path: "/pro/cantine", name: null, ...shell, guard: only(2, "/dashboard") },
  {
    path: "/partenaire/validation",
    name: "Validation_commande_cantine",
    ...shell,
    guard: only(2, "/login"),
  },
  { path: "/partenaire/Suivi_cantine", name: "Suivi_cantine", ...shell, guard: only(2, "/login") },
  { path: "/partenaire/:id", name: "Details_partner", ...shell, guard: only(2, "/login") },
] as const satisfies readonly Entry[];

type Named = Extract<(typeof table)[number], { name: string }>;
export type RouteName = Named["name"];
type PathOf<Name extends RouteName> = Extract<Named, { name: Name }>["path"];
type Values<Name extends RouteName> = Readonly<Record<Parameters<PathOf<Name>>, string | number>>;

/** The address of a named route, e.g. `pathTo("recharge_cagnotte", {objectID, name, idgroup})`. */
export function pathTo<Name extends RouteName>(
  name: Name,
  ...[values]: Parameters<PathOf<Name>> extends never ? [] : [Values<Name>]
): string {
  const found = table.find((candidate) => candidate.name === name) as Entry;
  return fill(found.path, values ?? {});
}
