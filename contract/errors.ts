// The one catalogue of refusals: code → HTTP status and French sentence. A constraint of the database
// that bears one of these names becomes that problem by itself; there is no other mapping.

import { kitchenProblems } from "./kitchen/problems.ts";
import { mealRefusals } from "./meals/problems.ts";
import { mealServiceProblems } from "./meal-service/problems.ts";
import { cardOrderProblems } from "./card-orders/problems.ts";
import { companyProblems } from "./companies/problems.ts";
import { grantProblems } from "./grants/problems.ts";
import { identityProblems } from "./identity/problems.ts";
import { invoiceProblems } from "./invoices/problems.ts";
import { checkoutRefusals } from "./checkout/problems.ts";
import { familyErrors } from "./family/problems.ts";
import { contactErrors } from "./contact/problems.ts";
import { fundingErrors } from "./funding/problems.ts";
import { membershipProblems } from "./memberships/problems.ts";
import { partnerProblems } from "./partners/problems.ts";
import { passProblems } from "./passes/problems.ts";
import { privacyErrors } from "./privacy/problems.ts";
import { settlementProblems } from "./settlement/problems.ts";
import { subscriptionProblems } from "./subscriptions/problems.ts";
import { ticketProblems } from "./tickets/problems.ts";
import { commutingProblems } from "./commuting/problems.ts";
import { tillProblems } from "./till/problems.ts";
import { transitProblems } from "./transit/problems.ts";

interface Entry {
  status: 400 | 401 | 403 | 404 | 408 | 409 | 410 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  /** What happened and what to do. `{name}` is filled from the problem's details. */
  message: string;
}

const catalogue = {
  // every row
  invalid_input: { status: 400, message: "Une information saisie n'est pas valable : {what}." },
  malformed_body: {
    status: 400,
    message: "La requête n'a pas pu être lue. Rechargez la page et recommencez.",
  },
  body_too_large: {
    status: 413,
    message: "L'envoi est trop volumineux. Réduisez-le et recommencez.",
  },
  unsupported_media_type: {
    status: 415,
    message: "Ce format d'envoi n'est pas accepté. Rechargez la page et recommencez.",
  },
  unknown_host: {
    status: 421,
    message: "Ma carte ne répond pas sous cette adresse. Ouvrez-la par localhost.",
  },
  request_too_slow: {
    status: 408,
    message: "La requête n'est pas arrivée à temps. Vérifiez votre connexion et recommencez.",
  },
  unauthenticated: { status: 401, message: "Connectez-vous pour continuer." },
  session_ended: { status: 401, message: "Votre session est terminée. Reconnectez-vous." },
  session_opposed: {
    status: 401,
    message: "Votre carte est en opposition : vos connexions sont fermées. Reconnectez-vous.",
  },
  forbidden: { status: 403, message: "Votre compte ne donne pas accès à cette page." },
  reset_required: {
    status: 403,
    message: "Choisissez d'abord votre nouveau mot de passe pour continuer.",
  },
  not_found: {
    status: 404,
    message: "Nous ne trouvons pas ce que vous demandez. Vérifiez l'adresse ou le numéro.",
  },
  too_many_requests: {
    status: 429,
    message: "Trop de demandes à la fois. Réessayez dans {wait}.",
  },
  unavailable: {
    status: 503,
    message: "Le service est momentanément indisponible. Rien n'est perdu : réessayez bientôt.",
  },
  internal: {
    status: 500,
    message: "Une erreur s'est produite pendant l'envoi de la requête",
  },
  // session
  wrong_credentials: { status: 401, message: "Erreur d'identifiant et/ou de mot de passe." },
  partner_category_unknown: {
    status: 422,
    message: "Cette catégorie n'existe plus. Rechargez la page et choisissez-en une autre.",
  },
  partner_state: { status: 409, message: "Ce partenaire est {state}. Rien n'est changé." },
  account_disabled: {
    status: 403,
    message: "Ce compte est désactivé. Appelez ou écrivez au service clients pour savoir pourquoi.",
  },
  account_state: { status: 409, message: "Ce compte est déjà {state}. Rien n'est changé." },
  reason_needed: { status: 422, message: "Donnez un motif : il est gardé avec ce qui est fait." },
  login_locked: {
    status: 429,
    message:
      "Trop d'essais de connexion. Réessayez dans {wait}, ou choisissez un nouveau mot de passe.",
  },
  renewal_required: {
    status: 403,
    message:
      "Une connexion a été signalée sur votre compte. Choisissez un nouveau mot de passe depuis «\u00a0Mot de passe oublié\u202f?\u00a0».",
  },
  reset_not_pending: {
    status: 409,
    message: "Votre mot de passe est déjà choisi. Vous pouvez continuer.",
  },
  password_too_short: {
    status: 422,
    message: "Ce mot de passe est trop court : il faut au moins 12 caractères.",
  },
  password_too_common: {
    status: 422,
    message:
      "Ce mot de passe est trop facile à deviner : {cause}. Ajoutez des mots sans rapport entre eux.",
  },
  password_unchanged: {
    status: 422,
    message: "Le nouveau mot de passe doit être différent de l'ancien.",
  },
  wrong_password: { status: 422, message: "Le mot de passe actuel n'est pas le bon." },
  // codes
  code_required: {
    status: 403,
    message: "Pour continuer, confirmez avec {proof}.",
  },
  code_wrong: { status: 422, message: "Ce code n'est pas le bon. Essais restants : {left}." },
  code_expired: {
    status: 410,
    message: "Ce code n'est plus valable. Demandez-en un nouveau.",
  },
  password_required: {
    status: 422,
    message: "Saisissez aussi votre mot de passe : le code seul ne suffit pas ici.",
  },
  channel_too_new: {
    status: 409,
    message:
      "Vos coordonnées viennent de changer : elles servent à confirmer à partir du {from}. En cas d'urgence, appelez le service clients.",
  },
  code_sends_exhausted: {
    status: 403, // a 429 would be tried again by the client, for seconds
    message: "Trop de codes demandés. Réessayez dans {wait}.",
  },
  no_channel: {
    status: 409,
    message:
      "Aucune adresse ni aucun téléphone ne permet de vous envoyer un code. Appelez le service clients.",
  },
  // passkeys, recovery codes, alerts
  passkey_refused: {
    status: 422,
    message: "Cette clé d'accès n'est pas reconnue. Réessayez, ou utilisez votre mot de passe.",
  },
  passkey_expired: {
    status: 410,
    message: "La demande de clé d'accès a expiré. Recommencez.",
  },
  passkey_known: { status: 409, message: "Cette clé d'accès est déjà enregistrée." },
  passkey_limit: {
    status: 409,
    message: "Vous avez déjà {max} clés d'accès. Supprimez-en une pour en ajouter une autre.",
  },
  passkeys_unavailable: {
    status: 409,
    message:
      "Les clés d'accès demandent une adresse protégée (HTTPS) qui porte un nom. Utilisez votre mot de passe.",
  },
  recovery_refused: {
    status: 422,
    message:
      "Ce code de secours n'est pas valable pour cette carte, ou a déjà servi. Essayez-en un autre.",
  },
  alert_over: {
    status: 410,
    message:
      "Ce lien a déjà servi ou n'est plus valable. En cas de doute, choisissez un nouveau mot de passe.",
  },
  // people
  ...identityProblems,
  ...familyErrors,
  ...privacyErrors,
  // cards
  card_suspended: {
    status: 409,
    message: "Cette carte est suspendue. Réactivez-la pour continuer.",
  },
  card_opposed: {
    status: 409,
    message: "Cette carte est en opposition. Elle ne peut plus servir.",
  },
  card_state: {
    status: 409,
    message: "L'état de cette carte ne le permet pas. Actualisez la page.",
  },
  ...contactErrors,
  // ledger
  insufficient_funds: {
    status: 409,
    message: "Le solde ne suffit pas. Diminuez le montant, ou choisissez une autre cagnotte.",
  },
  idempotency_mismatch: {
    status: 409,
    message:
      "Cette opération a déjà été faite avec d'autres informations. Recommencez depuis le début.",
  },
  hold_closed: {
    status: 409,
    message: "Cette réservation est déjà réglée ou libérée. Actualisez la page.",
  },
  already_reversed: { status: 409, message: "Cette opération a déjà été annulée." },
  // wallet
  same_wallet: {
    status: 422,
    message: "L'argent partirait et arriverait au même endroit. Choisissez une autre carte.",
  },
  wallet_frozen: {
    status: 409,
    message: "Cette cagnotte est bloquée le temps d'un litige. Écrivez-nous depuis Contact.",
  },
  wallet_cap: {
    status: 422,
    message: "Cette cagnotte ne peut pas dépasser {cap}. Vous pouvez ajouter au plus {room}.",
  },
  receiver_refused: {
    status: 409,
    message:
      "Cette carte ne peut pas recevoir ce montant en ce moment. Rien n'a été envoyé : essayez un montant plus petit, ou voyez avec la personne.",
  },
  top_ups_started: {
    status: 422,
    message:
      "Vos recharges commencées comptent dans le plafond de {cap}. Terminez-les, ou attendez une demi-heure qu'elles expirent. Vous pouvez encore ajouter {room}.",
  },
  amount_too_small: { status: 422, message: "Le montant minimal est de {min}." },
  amount_too_large: { status: 422, message: "Le montant maximal est de {max}." },
  repeat_confirm: {
    status: 409,
    message: "Vous venez de faire ce même virement. Confirmez pour l'envoyer une seconde fois.",
  },
  // payments
  payment_provider_down: {
    status: 503,
    message: "Le service de paiement ne répond pas. Rien n'a été débité : réessayez bientôt.",
  },
  payment_method_gone: {
    status: 409,
    message: "Cette carte bancaire n'est plus enregistrée. Choisissez-en une autre pour payer.",
  },
  payments_off: {
    status: 409,
    message: "La recharge en ligne n'est pas ouverte ici. Adressez-vous au service clients.",
  },
  order_payment_pending: {
    status: 409,
    message:
      "Votre banque traite déjà un paiement de cette commande. Attendez sa réponse avant d'en faire un autre.",
  },
  payment_finished: {
    status: 409,
    message: "Ce paiement est déjà terminé. Revenez à votre cagnotte pour voir son état.",
  },
  ...cardOrderProblems,
  ...companyProblems,
  ...grantProblems,
  ...checkoutRefusals,
  ...passProblems,
  ...fundingErrors,
  webhook_signature: { status: 400, message: "La signature de ce message n'est pas valable." },
  receipt_not_ready: {
    status: 409,
    message: "Le reçu sera disponible quand la recharge sera créditée.",
  },
  ...membershipProblems,
  ...subscriptionProblems,
  ...ticketProblems,
  ...kitchenProblems,
  ...mealRefusals,
  ...mealServiceProblems,
  ...partnerProblems,
  ...settlementProblems,
  ...tillProblems,
  ...invoiceProblems,
  ...commutingProblems,
  ...transitProblems,
} as const satisfies Record<string, Entry>;

export type ProblemCode = keyof typeof catalogue;
export type ProblemDetails = Record<string, string | number | boolean | null>;

/** Status and sentence of every code. */
export const problems: Readonly<Record<ProblemCode, Entry>> = catalogue;

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(catalogue, code);

/** The French sentence of a code, its `{names}` filled from the details. */
export function sentence(code: ProblemCode, details: ProblemDetails = {}): string {
  return catalogue[code].message.replace(/\{(\w+)\}/g, (hole, name: string) =>
    details[name] === undefined || details[name] === null ? hole : String(details[name]),
  );
}

/** A refusal: thrown by rooms, answered by the server as `{message, code, requestId, details}`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(sentence(code, details));
    this.name = "Problem";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/** The body of every answer that is not a success. */
export interface ProblemBody {
  message: string;
  code: ProblemCode;
  requestId: string;
  details?: ProblemDetails;
}
