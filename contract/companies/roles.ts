// The roles of the people of a company, and what each opens.
import { listInWords } from "../french.ts";

/** Roles of a person in a company: owner alone, or some of the others together (spec.md 25). */
export const companyRoles = ["owner", "accountant", "cashier", "counter", "kitchen"] as const;
export type CompanyRole = (typeof companyRoles)[number];

/** French names of the roles. */
export const companyRoleNames: Readonly<Record<CompanyRole, string>> = {
  owner: "Responsable",
  accountant: "Comptable",
  cashier: "Caisse",
  counter: "Guichet",
  kitchen: "Cuisine",
};

/** « Guichet et cuisine », as a line of a list says who somebody is; empty without a role. */
export const roleWords = (roles: readonly CompanyRole[]): string =>
  listInWords(
    roles.map((role, place) =>
      place === 0 ? companyRoleNames[role] : companyRoleNames[role].toLowerCase(),
    ),
  );

/** Whether one person may have these roles together. */
export const areCompatibleRoles = (roles: readonly CompanyRole[]): boolean =>
  new Set(roles).size === roles.length && (roles.length === 1 || !roles.includes("owner"));

/** Whether somebody may do something with the roles that they have. */
export type RolePredicate = (roles: readonly CompanyRole[]) => boolean;

const hasAnyOf =
  (...able: readonly CompanyRole[]): RolePredicate =>
  (roles) =>
    roles.some((role) => able.includes(role));

/** Permissions of the roles: the server refuses by them, and the screens show nothing else. */
export const companyCan = {
  /** Sales, invoices, what is owed, bank details. */
  seeMoney: hasAnyOf("owner", "accountant"),
  /** Terms, bank details, orders that cost money; rules, prices and closings of a canteen. */
  decide: hasAnyOf("owner"),
  /** Families of a canteen: registrations, certificates of illness, messages. */
  answerFamilies: hasAnyOf("owner", "accountant"),
  /** Colleagues, their roles and cards. */
  managePeople: hasAnyOf("owner"),
  /** The till; admission by tickets and passes. Refunds and closing the day require `seeMoney`. */
  charge: hasAnyOf("owner", "accountant", "cashier"),
  /** The counter of a canteen: children by card or name, with their allergens. */
  serveMeals: hasAnyOf("owner", "counter"),
  /** The meals of a day or period: who ordered, who came; accepts and corrects them. */
  followMeals: hasAnyOf("owner", "accountant", "counter"),
  /** Menus, dishes and their allergens, quantities. */
  cook: hasAnyOf("owner", "kitchen"),
  /** The desk of a canteen: at least one of its tabs. */
  openDesk: hasAnyOf("owner", "accountant", "kitchen"),
  /** Something of a canteen: its name, its hours, when it is closed. */
  seeCanteen: hasAnyOf("owner", "accountant", "counter", "kitchen"),
  /** The list of revoked codes, by which a device verifies codes without network. */
  verifyCodes: hasAnyOf("owner", "accountant", "cashier", "counter"),
} satisfies Record<string, RolePredicate>;
export type CompanyRight = keyof typeof companyCan;
