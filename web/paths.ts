// The one table of addresses: every path and name of the specification, who may enter and how the tab
// is called. The odd spellings of the specification's addresses live here and nowhere else in web/.
// Addresses that are not in the specification take two segments, so that no service code is shadowed
// (spec.md 6). What each address shows stands in paths.ts, so that a screen may link to another
// without importing it.
import { spec, spelled } from "#contract/limits.ts";
import type { Wallet } from "#contract/wallet/rows.ts";
import type { Guard } from "#web/app/shared/guards.ts";
import { fill, type Parameters } from "#web/app/shared/addresses.ts";
import type { Entry } from "#web/app/shared/route-entry.ts";

const open: Guard = { kind: "open" };
const guest: Guard = { kind: "guest" };
const reset: Guard = { kind: "reset" };
const person: Guard = { kind: "person" };
const only = (type: 1 | 2, otherwise: string): Guard => ({ kind: "person", type, otherwise });
const holder = only(1, "/dashboard");

const entry = { layout: "entry" } as const;
const shell = { layout: "shell" } as const;
const narrow = { ...shell, narrow: true } as const;
const inner = { ...shell, back: true } as const;
const detail = { ...narrow, back: true } as const;
const company = { ...shell, guard: only(2, "/") } as const;
const legal = { name: null, layout: "public", narrow: true, guard: open } as const;
const moved = { name: null, ...entry, guard: open } as const;

export const table = [
  // Public and session routes (spec §2)
  { path: "/login", name: "login", layout: "plain", guard: guest, title: "Connexion" },
  {
    path: "/identify",
    name: "forgotPassword",
    ...entry,
    back: true,
    guard: guest,
    title: "Mot de passe oublié",
  },
  { path: "/forgot-password", name: null, ...entry, guard: open, redirect: "/identify" },
  { path: "/forgot-password/identify", name: null, ...entry, guard: open, redirect: "/identify" },
  {
    path: "/reset/password",
    name: "resetPassword",
    ...entry,
    guard: reset,
    title: "Nouveau mot de passe",
  },
  { path: "/reset-password", name: null, ...entry, guard: open, redirect: "/reset/password" },
  {
    path: "/reset-password/reset/password",
    name: null,
    ...entry,
    guard: open,
    redirect: "/reset/password",
  },
  {
    path: "/securite/pas-moi",
    name: null,
    ...entry,
    guard: open,
    title: "Ce n’était pas moi",
    needsLink: true,
  },
  {
    path: "/recharge/proche",
    name: null,
    ...entry,
    guard: open,
    title: "Recharge pour un proche",
    needsLink: true,
  },
  { path: "/health", ...legal, title: "État du service" },

  // Legal pages, with the addresses that people and audits try first
  { path: "/informations/accessibilite", ...legal, title: "Déclaration d’accessibilité" },
  { path: "/informations/mentions-legales", ...legal, title: "Mentions légales" },
  { path: "/informations/donnees", ...legal, title: "Données personnelles" },
  { path: "/informations/plan", ...legal, title: "Plan du site" },
  { path: "/accessibilite", ...moved, redirect: "/informations/accessibilite" },
  { path: "/mentions-legales", ...moved, redirect: "/informations/mentions-legales" },
  { path: "/confidentialite", ...moved, redirect: "/informations/donnees" },
  { path: "/plan-du-site", ...moved, redirect: "/informations/plan" },
  { path: spelled.alias, ...moved, redirect: spelled.path },

  // Main layout
  { path: "/", name: null, ...shell, guard: person, redirect: "/dashboard" },
  { path: "/contact", name: "contact", ...narrow, guard: person, title: "Contact" },
  { path: "/dashboard", name: "dashboard", ...shell, guard: person },
  { path: "/cagnottes/virement", name: null, ...detail, guard: person, title: "Virement" },
  {
    path: "/cagnottes/demandes",
    name: null,
    ...detail,
    guard: person,
    title: "Achats à confirmer",
  },
  {
    path: "/cagnottes/achats/:sale",
    name: null,
    ...detail,
    guard: person,
    title: "Achat en caisse",
  },
  { path: "/cagnottes/points", name: null, ...detail, guard: holder, title: "Mes points" },
  {
    path: "/cagnottes/:objectID/operations",
    name: null,
    ...inner,
    guard: person,
    title: "Opérations",
  },
  {
    path: "/cagnottes/:objectID/automatismes",
    name: null,
    ...detail,
    guard: person,
    title: "Alertes et recharge automatique",
  },
  { path: "/faq", name: "faq", ...shell, guard: person, title: "Aide" },
  { path: "/faq/:id", name: "detail", ...detail, guard: person, title: "Aide" },
  { path: "/profil", name: "profil", ...shell, guard: person, title: "Profil" },
  { path: "/profil/donnees", name: null, ...detail, guard: person, title: "Mes données" },
  { path: "/profil/notifications", name: null, ...detail, guard: person, title: "Notifications" },
  { path: "/profil/allergenes", name: null, ...detail, guard: holder, title: "Allergènes" },
  { path: "/family", name: "family", ...shell, guard: holder, title: "Famille" },
  { path: "/family/droits", name: null, ...inner, guard: holder, title: "Droits et justificatifs" },
  { path: "/family/:cardnumber", name: "familydetail", ...inner, guard: holder, title: "Famille" },
  {
    path: "/services/cagnottes",
    name: "services_cagnotte_public",
    ...shell,
    guard: holder,
    title: "Cagnottes",
  },
  {
    path: "/servivces/abonnement",
    name: "Abonnement_user",
    ...inner,
    guard: holder,
    title: "Abonnement",
  },
  {
    path: "/services/E-Billet",
    name: "Billet_public",
    ...shell,
    guard: holder,
    title: "E-billets",
  },
  { path: "/test/bien", name: "test", ...narrow, guard: person, title: "Diagnostic" },
  { path: "/professional", name: "professional", ...company, redirect: "/professional/repertory" },
  { path: "/professional/category", name: "category", ...company, back: true, title: "Catégories" },
  { path: "/professional/repertory", name: "repertory", ...company, title: "Répertoire" },
  {
    path: "/professional/invoice",
    name: "invoice",
    ...company,
    title: "Factures",
    may: "seeMoney",
  },
  {
    path: "/professional/card_pro",
    name: "card_pro",
    ...company,
    title: "Cartes pro",
    may: "seeMoney",
  },
  { path: "/professional/entreprise", name: null, ...company, title: "Mon entreprise" },
  { path: "/professional/partenaire", name: "partenaire", ...company, title: "Partenaires" },
  {
    path: "/professional/dotations",
    name: null,
    ...company,
    back: true,
    title: "Dotations",
    may: "seeMoney",
  },
  {
    path: "/professional/reglements",
    name: null,
    ...company,
    title: "Règlements",
    may: "seeMoney",
  },
  {
    path: spec.defaultServicesPath,
    name: "services_list_local",
    ...shell,
    guard: person,
    title: "Services",
  },
  {
    path: "/services/partner",
    name: "Partner_components",
    ...shell,
    guard: person,
    title: "Où ma carte est acceptée",
  },
  { path: "/services/:code", name: "service-index", ...detail, guard: person, title: "Service" },
  {
    path: "/services/:code/:id",
    name: "Transport_mobile",
    ...inner,
    guard: only(2, "/login"),
    title: "Transport des salariés",
  },
  {
    path: "/services/:objectID/:name/:idgroup",
    name: "recharge_cagnotte",
    ...detail,
    guard: person,
    title: "Recharge",
  },
  { path: "/:code_services", name: "adhesion_page", ...detail, guard: person, title: "Adhésion" },

  // Other layouts
  {
    path: "/card",
    name: "Pro_card",
    ...shell,
    back: true,
    guard: only(2, "/professional/card_pro"),
    title: "Commande de cartes",
    may: "seeMoney",
  },
  {
    path: "/Abonnement/ligne",
    name: "AbonnementbusCpp_transport",
    ...shell,
    guard: only(1, "/login"),
    title: "Bus",
  },
  {
    path: "/Abonnement/ligne/purchase/abonnement",
    name: "Purchache_Abonnement",
    ...detail,
    guard: only(1, "/login"),
    title: "Achat d’un titre",
    needsLink: true,
  },
  {
    path: "/Abonnement/ligne/:group",
    name: "Product_Abonnement",
    ...inner,
    guard: only(1, "/login"),
    title: "Titres de transport",
  },
  {
    path: "/commande/cantine",
    name: "List_of_pretataire_of_cantine",
    ...shell,
    guard: only(1, "/login"),
    title: "Cantine",
  },
  {
    path: "/commande/cantine/suivi",
    name: "suivi_de_demande_cantine",
    ...inner,
    guard: only(1, "/login"),
    title: "Suivi des repas",
  },
  {
    path: "/commande/cantine/:name/:idgroup",
    name: "product_cantine_futures",
    ...inner,
    guard: only(1, "/login"),
    title: "Cantine",
  },
  {
    path: "/pro/cantine",
    name: null,
    ...shell,
    guard: only(2, "/dashboard"),
    title: "Cantine",
    may: "openDesk",
  },
  {
    path: "/partenaire/validation",
    name: "Validation_commande_cantine",
    ...narrow,
    guard: only(2, "/login"),
    title: "Guichet de cantine",
    may: "serveMeals",
    offline: true,
  },
  {
    path: "/partenaire/Suivi_cantine",
    name: "Suivi_cantine",
    ...inner,
    guard: only(2, "/login"),
    title: "Suivi de la cantine",
    may: "followMeals",
  },
  {
    path: "/partenaire/caisse",
    name: null,
    ...narrow,
    guard: only(2, "/login"),
    title: "Caisse",
    may: "charge",
    offline: true,
  },
  {
    path: "/partenaire/billets",
    name: null,
    ...narrow,
    guard: only(2, "/login"),
    title: "Contrôle des billets et des titres",
    may: "charge",
  },
  {
    path: "/partenaire/:id",
    name: "Details_partner",
    ...inner,
    guard: only(2, "/login"),
    title: "Partenaires",
  },
] as const satisfies readonly Entry[];

type ScreenEntry = Exclude<(typeof table)[number], { redirect: string } | { planned: true }>;
/** Every path that shows a screen: paths.ts names one for each. */
export type ScreenPath = ScreenEntry["path"];

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

/** Where a wallet is topped up. */
export const topUpPath = ({
  objectID,
  slug,
  idgroup,
}: Pick<Wallet, "objectID" | "slug" | "idgroup">): string =>
  pathTo("recharge_cagnotte", { objectID, name: slug, idgroup });
