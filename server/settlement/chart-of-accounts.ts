// The ledger's accounts mapped to the French chart of accounts, and its kinds of transfers to journals, for
// the file of entries (FEC).
import type { SchemeAccount } from "#server/wallet/wallet.ts";

export interface GeneralAccount {
  number: string;
  name: string;
}

/** Points are no money: the file of entries has none. */
export type MoneyAccount = Exclude<SchemeAccount, "points">;

/** Cards' money belongs to their holders, sales to partners until they are paid: third-party accounts. */
export const schemeAccounts: Readonly<Record<MoneyAccount, GeneralAccount>> = {
  "payments:sandbox": { number: "51710000", name: "Service de paiement fictif" },
  "payments:stripe": { number: "51720000", name: "Service de paiement Stripe" },
  bank: { number: "51200000", name: "Banque" },
  payouts: { number: "58000000", name: "Virements émis en cours" },
  suspense: { number: "47100000", name: "Compte d'attente" },
  disputes: { number: "41600000", name: "Litiges avec les porteurs" },
  returns: { number: "46730000", name: "Trop-perçus à rendre" },
  grants: { number: "46740000", name: "Financeurs d'aides" },
  expired: { number: "46741000", name: "Aides expirées à rendre" },
  closures: { number: "46750000", name: "Comptes fermés à rendre" },
  purchases: { number: "46720000", name: "Achats à reverser" },
  tills: { number: "46721000", name: "Ventes en caisse à reverser" },
  meals: { number: "46722000", name: "Repas à reverser" },
  tickets: { number: "46723000", name: "E-billets à reverser" },
  transport: { number: "46724000", name: "Titres de transport à reverser" },
  employers: { number: "46760000", name: "Employeurs, parts des titres à recevoir" },
  subscriptions: { number: "70610000", name: "Abonnements des cartes" },
  commissions: { number: "70620000", name: "Commissions" },
  // With VAT: the split into sales and VAT is on their invoices.
  pro_cards: { number: "41911000", name: "Clients, cartes pro payées à la commande" },
  company_grants: { number: "46742000", name: "Dotations des entreprises à créditer ou à rendre" },
  grant_credits: { number: "46761000", name: "Employeurs, dotations à recevoir" },
  vat: { number: "44571000", name: "TVA collectée" },
  invoices: { number: "41100000", name: "Clients, factures" },
};

/** Each lot of a wallet, and each company, is an auxiliary account of these. */
export const walletAccount: GeneralAccount = {
  number: "41910000",
  name: "Avances des porteurs de cartes",
};
export const companyAccountOf: GeneralAccount = {
  number: "46710000",
  name: "Partenaires, sommes à reverser",
};

interface Journal {
  code: string;
  name: string;
}

const journals = {
  top_ups: { code: "RC", name: "Recharges" },
  sales: { code: "AC", name: "Achats des porteurs" },
  transfers: { code: "VI", name: "Virements entre cartes" },
  settlement: { code: "RG", name: "Règlement des partenaires" },
  bank: { code: "BQ", name: "Banque" },
  other: { code: "OD", name: "Opérations diverses" },
} as const satisfies Record<string, Journal>;

const byKind: Readonly<Record<string, Journal>> = {
  top_up: journals.top_ups,
  purchase: journals.sales,
  employer_share: journals.sales,
  meal: journals.sales,
  refund: journals.sales,
  transfer: journals.transfers,
  settlement: journals.settlement,
  commission: journals.settlement,
  vat: journals.settlement,
  payout: journals.bank,
  invoice_paid: journals.bank,
  grant_paid: journals.bank,
  debt_paid: journals.bank,
};

/** The journal of a kind of transfer; kinds that no list names are sundry. */
export const journalOf = (kind: string): Journal => byKind[kind] ?? journals.other;
