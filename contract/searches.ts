// The search parameters of each address, by their English names, with the values that our own links may set.
// A reader must expect any text: people edit addresses too.
import type { mealOrderStates } from "./meals/states.ts";
import type { InvoiceFilter } from "./invoices/rows.ts";
import type { PartnershipKind } from "./partners/partnerships.ts";
import type { TillSaleFilter } from "./till/sales.ts";
import type { MovementKind } from "./wallet/rows.ts";
import type { ListedCategory } from "./wallet/spending.ts";
import type { paths } from "./paths.ts";

export type PathName = keyof typeof paths;
export type PortalPath = (typeof paths)[PathName];

/** A parameter whose presence counts, not its value. */
type Flag = "" | "1";
/** YYYY-MM-DD, YYYY-MM for a month, YYYY for a year. */
type Day = string;
type Month = string;

interface Directory {
  q: string;
  around: string;
  category: string;
  group: number | string;
  open: "1";
  view: "plan";
  /** The id of a partner's sheet. */
  sheet: string;
}

/** The parameters that the payment page adds on the way back to an order. */
interface Ordered {
  order: string;
  payment: string;
}

interface Searches {
  login: { returnTo: string; end: "deconnexion" | "session" | "opposition" | "jeton" };
  forgotPassword: { returnTo: string };
  resetPassword: { returnTo: string };
  denyLogin: { alert: string };
  gift: { payment: string };
  contact: { thread: string; write: "1" };
  dashboard: { tab: "operations" | "abonnements" | "commandes" | "billets" };
  transfer: { sender: number; recipient: number; transfer: string };
  movements: {
    kind: MovementKind;
    category: ListedCategory;
    from: Day;
    to: Day;
    text: string;
  };
  automations: { payment: string };
  faq: { q: string };
  topUp: { topUp: string; amount: number };
  membership: { step: "entreprise" | "representant" | "documents" | "code" | "envoi" };
  points: { card: number | string };
  spending: { card: number | string; month: Month };
  allergies: { card: number };
  familyMember: { tab: "argent" | "repas" | "transport" | "billets" | "garde" | "droits" };
  subscription: {
    card: number | string;
    application: string;
    step: "formule" | "titulaire" | "prix" | "paiement";
    payment: string;
  };
  tickets: Ordered & {
    tab: "affiche" | "billets";
    cart: Flag;
    event: string;
    attendee: number | string;
    session: string;
  };
  tour: { step: "carte" | "enfant" | "recharge" | "cantine" };
  lines: {
    q: string;
    line: number;
    stop: number;
    direction: number;
    lines: string;
    day: Day;
  };
  fares: { card: number | string; pass: string };
  passPurchase: Ordered & { product: string; card: number | string; step: "verification" };
  meals: Ordered & {
    month: Month;
    day: Day;
    cancel: string;
    /** The acceptance group of the ordered meals, and its name in addresses: where they were chosen. */
    group: number | string;
    name: string;
  };
  canteenProvider: {
    week: Day;
    step: "commander";
    renew: string;
    /** The usual meals of the week are ticked as it opens. */
    usual: Flag;
  };
  directory: Directory;
  repertory: Directory;
  categories: { sheet: string };
  invoices: {
    invoice: string;
    state: InvoiceFilter;
    year: number | string;
    payment: string;
    paid: Flag;
  };
  proCards: {
    state: "a-attribuer" | "en-service" | "suspendues" | "en-route" | "arretees";
    name: string;
  };
  partnerships: { state: PartnershipKind };
  grants: {
    tab: "dotations" | "cartes";
    grant: string;
    create: "1";
    payment: string;
    paid: Flag;
  };
  settlements: { month: Month };
  employeeTransport: {
    tab: "offre" | "salaries" | "paie";
    show: "running" | "over";
    month: Month;
  };
  cardOrders: Ordered & { step: "personnes" | "modele" | "livraison" | "prix"; paid: Flag };
  canteenDesk: {
    tab:
      | "menus"
      | "quantites"
      | "inscriptions"
      | "absences"
      | "messages"
      | "regles"
      | "fermetures"
      | "releve";
    canteen: string;
    day: Day;
    week: Day;
    month: Month;
  };
  /** The day whose menu is written. */
  menuEditor: { day: Day };
  mealCounter: {
    canteen: string;
    /** The counter alone on its screen, without the portal around it. */
    mode: "guichet";
  };
  canteenFollowUp: {
    canteen: string;
    from: Day;
    to: Day;
    state: (typeof mealOrderStates)[number];
    className: string;
    name: string;
    before: number | string;
    after: number | string;
  };
  till: {
    counter: string;
    /** The till alone on its screen, without the portal around it. */
    mode: "caisse";
    tab: "encaisser" | "ventes" | "journee";
    text: string;
    from: Day;
    to: Day;
    cashier: number | string;
    state: TillSaleFilter;
    /** The id of the sale whose panel is open. */
    sale: string;
    /** The month of the days. */
    month: Month;
  };
}

type Optional<Parameters> = {
  readonly [Key in keyof Parameters]?: Parameters[Key] | undefined;
};

/** The search parameters of a screen's links; undefined ones are left out. */
export type SearchOf<Of extends PathName> = Of extends keyof Searches
  ? Optional<Searches[Of]>
  : Readonly<Record<string, never>>;

/** The search parameters that a screen reads: any text, or none. */
export type SearchIn<Of extends PathName> = Of extends keyof Searches
  ? { readonly [Key in keyof Searches[Of]]?: string }
  : Readonly<Record<string, never>>;

/** The tabs of a screen, by their names in its address. */
export type TabOf<Of extends PathName> =
  SearchOf<Of> extends { readonly tab?: infer Tab } ? Exclude<Tab, undefined> : never;
