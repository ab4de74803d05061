// Places on screens that a link leads to, by their English names: what a person is asked to answer or do. The fragment
// of the address (`#garde-…`) is the `id` of the element, where web/app/shared/arrival.ts brings who follows it.
// The wire's names are in sent notices: they never change.

export const placeNames = {
  closing: "fermeture",
  contactAnswer: "reponse",
  custody: "garde",
  enrolment: "employeur",
  firstCard: "carte",
  invitation: "invitation",
  mealWait: "repas",
  moneyRequest: "demande",
  proof: "justificatif",
  tillSale: "achat",
  ticketTransfer: "transfert",
  ticketWait: "attente",
} as const;

export type PlaceName = keyof typeof placeNames;

/** The fragment of the place, without `#`, and the `id` of its element. */
export const placeId = (name: PlaceName, id: string | number): string =>
  `${placeNames[name]}-${id}`;

/** Whether a fragment, without `#`, is that of a place; else it is an anchor of the text, or the secret of a link. */
export const isPlaceId = (fragment: string): boolean =>
  Object.values(placeNames).some((name) => fragment.startsWith(`${name}-`));

/** An address of the table that leads to a place on its screen. */
export const atPlace = (address: string, name: PlaceName, id: string | number): string =>
  `${address}#${placeId(name, id)}`;
