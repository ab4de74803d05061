import { thin } from "#contract/french.ts";

/** Of an installation whose payments are the sandbox's: a wallet is debited all the same. */
export const fictitiousWords = `Paiements fictifs${thin}: aucune carte bancaire n’est débitée.`;
