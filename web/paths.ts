// The specification's name, the guard and the title of each address of the portal (contract/paths.ts). Addresses that
// are not in the specification take two segments, so that no service code is shadowed (spec.md 6). The screens are
// in routes.ts, so that a screen may link to another without importing it.
import { spelled } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import type { Guard } from "#web/app/shared/guards.ts";
import type { Entry } from "#web/app/shared/route-entry.ts";

const open: Guard = { kind: "open" };
const guest: Guard = { kind: "guest" };
const reset: Guard = { kind: "reset" };
const person: Guard = { kind: "person" };
const only = (type: 1 | 2, otherwise: string): Guard => ({ kind: "person", type, otherwise });
const holder = only(1, paths.dashboard);

const entry = { layout: "entry" } as const;
const shell = { layout: "shell" } as const;
const narrow = { ...shell, narrow: true } as const;
const inner = { ...shell, back: true } as const;
const detail = { ...narrow, back: true } as const;
const company = { ...shell, guard: only(2, paths.root) } as const;
const legal = { name: null, layout: "public", narrow: true, guard: open } as const;
const moved = { name: null, ...entry, guard: open } as const;

export const table = [
  // Public and session routes (spec §2)
  { path: paths.login, name: "login", layout: "plain", guard: guest, title: "Connexion" },
  {
    path: paths.forgotPassword,
    name: "forgotPassword",
    ...entry,
    back: true,
    guard: guest,
    title: "Mot de passe oublié",
  },
  { path: "/forgot-password", name: null, ...entry, guard: open, redirect: paths.forgotPassword },
  {
    path: "/forgot-password/identify",
    name: null,
    ...entry,
    guard: open,
    redirect: paths.forgotPassword,
  },
  {
    path: paths.resetPassword,
    name: "resetPassword",
    ...entry,
    guard: reset,
    title: "Nouveau mot de passe",
  },
  { path: "/reset-password", name: null, ...entry, guard: open, redirect: paths.resetPassword },
  {
    path: "/reset-password/reset/password",
    name: null,
    ...entry,
    guard: open,
    redirect: paths.resetPassword,
  },
  {
    path: paths.denyLogin,
    name: null,
    ...entry,
    guard: open,
    title: "Ce n’était pas moi",
    needsLink: true,
  },
  {
    path: paths.gift,
    name: null,
    ...entry,
    guard: open,
    title: "Recharge pour un proche",
    needsLink: true,
  },
  { path: paths.health, ...legal, title: "État du service" },

  // Legal pages, with the addresses that people and audits try first
  { path: paths.accessibility, ...legal, title: "Déclaration d’accessibilité" },
  { path: paths.legalNotices, ...legal, title: "Mentions légales" },
  { path: paths.personalData, ...legal, title: "Données personnelles" },
  { path: paths.siteMap, ...legal, title: "Plan du site" },
  { path: "/accessibilite", ...moved, redirect: paths.accessibility },
  { path: "/mentions-legales", ...moved, redirect: paths.legalNotices },
  { path: "/confidentialite", ...moved, redirect: paths.personalData },
  { path: "/plan-du-site", ...moved, redirect: paths.siteMap },
  { path: spelled.alias, ...moved, redirect: paths.subscription },

  // Main layout
  { path: paths.root, name: null, ...shell, guard: person, redirect: paths.dashboard },
  { path: paths.contact, name: "contact", ...narrow, guard: person, title: "Contact" },
  { path: paths.dashboard, name: "dashboard", ...shell, guard: person },
  { path: paths.transfer, name: null, ...detail, guard: person, title: "Virement" },
  { path: paths.tillRequests, name: null, ...detail, guard: person, title: "Achats à confirmer" },
  { path: paths.tillPurchase, name: null, ...detail, guard: person, title: "Achat en caisse" },
  { path: paths.points, name: null, ...detail, guard: holder, title: "Mes points" },
  { path: paths.spending, name: null, ...inner, guard: holder, title: "Dépenses" },
  {
    path: paths.moneyRequest,
    name: null,
    ...detail,
    guard: holder,
    title: "Demander de l’argent",
  },
  { path: paths.movements, name: null, ...inner, guard: person, title: "Cagnotte" },
  {
    path: paths.automations,
    name: null,
    ...detail,
    guard: person,
    title: "Alertes et recharge automatique",
  },
  { path: paths.faq, name: "faq", ...shell, guard: person, title: "Aide" },
  { path: paths.faqAnswer, name: "detail", ...detail, guard: person, title: "Aide" },
  { path: paths.profile, name: "profil", ...shell, guard: person, title: "Profil" },
  { path: paths.contactDetails, name: null, ...inner, guard: person, title: "Coordonnées" },
  { path: paths.signInSettings, name: null, ...inner, guard: person, title: "Connexion" },
  { path: paths.devices, name: null, ...inner, guard: person, title: "Appareils" },
  { path: paths.activity, name: null, ...inner, guard: person, title: "Activité" },
  { path: paths.ownData, name: null, ...inner, guard: person, title: "Mes données" },
  { path: paths.notificationChoices, name: null, ...inner, guard: person, title: "Notifications" },
  { path: paths.allergies, name: null, ...inner, guard: holder, title: "Allergènes" },
  { path: paths.family, name: "family", ...shell, guard: holder, title: "Famille" },
  {
    path: paths.entitlements,
    name: null,
    ...inner,
    guard: holder,
    title: "Droits et justificatifs",
  },
  { path: paths.familyMember, name: "familydetail", ...inner, guard: holder, title: "Famille" },
  {
    path: paths.wallets,
    name: "services_cagnotte_public",
    ...shell,
    guard: holder,
    title: "Cagnottes",
  },
  {
    path: paths.subscription,
    name: "Abonnement_user",
    ...inner,
    guard: holder,
    title: "Abonnement",
  },
  {
    path: paths.tickets,
    name: "Billet_public",
    ...shell,
    guard: holder,
    title: "E-billets",
  },
  { path: paths.tour, name: null, ...entry, guard: holder, title: "Premiers pas" },
  { path: paths.diagnostic, name: "test", ...narrow, guard: person, title: "Diagnostic" },
  { path: paths.professional, name: "professional", ...company, redirect: paths.repertory },
  { path: paths.categories, name: "category", ...company, back: true, title: "Catégories" },
  { path: paths.repertory, name: "repertory", ...company, title: "Répertoire" },
  { path: paths.invoices, name: "invoice", ...company, title: "Factures", may: "seeMoney" },
  {
    path: paths.proCards,
    name: "card_pro",
    ...company,
    title: "Cartes pro",
    may: "seeMoney",
  },
  { path: paths.company, name: null, ...company, title: "Mon entreprise" },
  { path: paths.partnerships, name: "partenaire", ...company, title: "Partenaires" },
  {
    path: paths.grants,
    name: null,
    ...company,
    back: true,
    title: "Dotations",
    may: "seeMoney",
  },
  { path: paths.settlements, name: null, ...company, title: "Règlements", may: "seeMoney" },
  {
    path: paths.services,
    name: "services_list_local",
    ...shell,
    guard: person,
    title: "Services",
  },
  {
    path: paths.directory,
    name: "Partner_components",
    ...shell,
    guard: person,
    title: "Où ma carte est acceptée",
  },
  { path: paths.service, name: "service-index", ...detail, guard: person, title: "Service" },
  {
    path: paths.employeeTransport,
    name: "Transport_mobile",
    ...inner,
    guard: only(2, paths.login),
    title: "Transport des salariés",
  },
  {
    path: paths.topUp,
    name: "recharge_cagnotte",
    ...detail,
    guard: person,
    title: "Recharge",
  },
  { path: paths.membership, name: "adhesion_page", ...detail, guard: person, title: "Adhésion" },

  // Other layouts
  {
    path: paths.cardOrders,
    name: "Pro_card",
    ...shell,
    back: true,
    guard: only(2, paths.proCards),
    title: "Commande de cartes",
    may: "seeMoney",
  },
  {
    path: paths.lines,
    name: "AbonnementbusCpp_transport",
    ...shell,
    guard: only(1, paths.login),
    title: "Bus",
  },
  {
    path: paths.passPurchase,
    name: "Purchache_Abonnement",
    ...detail,
    guard: only(1, paths.login),
    title: "Achat d’un titre",
    needsLink: true,
  },
  {
    path: paths.fares,
    name: "Product_Abonnement",
    ...inner,
    guard: only(1, paths.login),
    title: "Titres de transport",
  },
  {
    path: paths.canteenProviders,
    name: "List_of_pretataire_of_cantine",
    ...shell,
    guard: only(1, paths.login),
    title: "Cantine",
  },
  {
    path: paths.meals,
    name: "suivi_de_demande_cantine",
    ...inner,
    guard: only(1, paths.login),
    title: "Suivi des repas",
  },
  {
    path: paths.canteenProvider,
    name: "product_cantine_futures",
    ...inner,
    guard: only(1, paths.login),
    title: "Cantine",
  },
  {
    path: paths.canteenDesk,
    name: null,
    ...shell,
    guard: only(2, paths.dashboard),
    title: "Cantine",
    may: "openDesk",
  },
  {
    path: paths.menuEditor,
    name: null,
    ...inner,
    guard: only(2, paths.dashboard),
    title: "Menu du jour",
    may: "cook",
    needsLink: true,
  },
  {
    path: paths.mealCounter,
    name: "Validation_commande_cantine",
    ...shell,
    guard: only(2, paths.login),
    title: "Guichet de cantine",
    may: "serveMeals",
    offline: true,
  },
  {
    path: paths.canteenFollowUp,
    name: "Suivi_cantine",
    ...inner,
    guard: only(2, paths.login),
    title: "Suivi de la cantine",
    may: "followMeals",
  },
  {
    path: paths.till,
    name: null,
    ...shell,
    guard: only(2, paths.login),
    title: "Caisse",
    may: "charge",
    offline: true,
  },
  {
    path: paths.ticketControl,
    name: null,
    ...narrow,
    guard: only(2, paths.login),
    title: "Contrôle des billets et des titres",
    may: "charge",
  },
  {
    path: paths.partnership,
    name: "Details_partner",
    ...inner,
    guard: only(2, paths.login),
    title: "Partenaires",
  },
] as const satisfies readonly Entry[];

type ScreenEntry = Exclude<(typeof table)[number], { redirect: string } | { planned: true }>;
/** Every path that shows a screen: paths.ts names one for each. */
export type ScreenPath = ScreenEntry["path"];
