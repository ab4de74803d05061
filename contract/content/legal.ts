// The legal pages that a public portal owes, and what its accessibility may be said to be (law of
// 11 February 2005, article 47; RGAA 4.1.2). The operator may replace each text.
import { paths } from "../paths.ts";

/** The pages with a text, by the last segment of their address. */
export const legalPages = ["accessibilite", "mentions-legales", "donnees"] as const;
export type LegalPage = (typeof legalPages)[number];

/** `none` also where no audit is valid: that is what the law calls it. */
export const conformities = ["none", "partial", "full"] as const;
export type Conformity = (typeof conformities)[number];

export const conformityNames: Record<Conformity, string> = {
  none: "non conforme",
  partial: "partiellement conforme",
  full: "totalement conforme",
};

/** The mention of accessibility on every page, by the state that the operator has declared. */
export const conformityMention = (conformity: Conformity): string =>
  `Accessibilité\u202f: ${conformityNames[conformity]}`;

/** The other links at the foot of every page, after the mention of accessibility. */
export const footLinks = [
  { href: paths.legalNotices, label: "Mentions légales" },
  { href: paths.personalData, label: "Données personnelles" },
  { href: paths.siteMap, label: "Plan du site" },
] as const;
