// Why a charge made without network was not taken from a wallet, and what to do, for screen and file.
import { formatMoney } from "../french.ts";
import { offlineTill as limits } from "./limits.ts";
import type { OfflineConflict } from "./offline.ts";

/** Who bears what no wallet paid. */
export const offlineLossWords =
  "Par vos conditions, ce que la cagnotte ne paie pas reste à la charge de votre entreprise.";

const askAgain = "Si la personne revient, demandez-lui de payer à la caisse ou par un autre moyen.";

export const offlineConflictWords: Readonly<
  Record<OfflineConflict, { why: string; next: string }>
> = {
  funds: { why: "La cagnotte ne couvre pas ce montant.", next: askAgain },
  card: {
    why: "La carte ne peut plus payer\u202f: suspendue, en opposition ou hors d’usage.",
    next: "N’acceptez plus cette carte. Demandez un autre moyen de paiement.",
  },
  limit: { why: "Une limite fixée pour cette carte ne permet pas cet achat.", next: askAgain },
  own: {
    why: "La carte est de votre propre entreprise.",
    next: "Une caisse n’encaisse pas les cartes de sa propre entreprise. Faites payer autrement.",
  },
  code: {
    why: "Le code n’était pas valable au moment de la vente.",
    next: "Vérifiez l’heure de cet appareil, puis faites payer de nouveau.",
  },
  code_used: {
    why: "Ce code avait déjà payé un autre achat.",
    next: "Regardez dans Ventes si l’achat y est déjà. Sinon, faites payer de nouveau.",
  },
  cap_charge: {
    why: `Hors connexion, un achat ne dépasse pas ${formatMoney(limits.chargeCents)}.`,
    next: askAgain,
  },
  cap_till: {
    why: `Plus de ${formatMoney(limits.tillCents)} attendaient à cette caisse.`,
    next: "N’ouvrez pas deux caisses hors connexion sous le même compte. Faites payer de nouveau.",
  },
  cap_holder: {
    why: `Une carte paie au plus ${formatMoney(limits.holderDayCents)} par jour sans réseau.`,
    next: askAgain,
  },
  late: {
    why: `La vente a plus de ${limits.days} jours.`,
    next: "Ouvrez la caisse avec le réseau chaque jour de vente. Faites payer de nouveau.",
  },
  counter: {
    why: "Ce point de vente est arrêté, ou n’est plus celui de votre entreprise.",
    next: "Écrivez-nous depuis Contact, avec la date et le montant.",
  },
  withdrawn: {
    why: "Retiré de l’appareil par l’encaisseur avant l’envoi\u202f: la carte n’est pas débitée.",
    next: "Vérifiez avec l’encaisseur que la marchandise a été rendue ou payée autrement.",
  },
  unanswered: {
    why: "La personne devait confirmer cet achat et ne l’a pas fait.",
    next: askAgain,
  },
};
