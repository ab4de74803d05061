// The specification's literal texts, to the character: plain spaces and apostrophes, no typographic
// change. tests/literals.test.ts pins each of them against the specification.

/** What people read (spec §2, §5, §8). */
export const texts = {
  requestFailed: "Une erreur s'est produite pendant l'envoi de la requête",
  dispatchFailed: "Une erreur s'est produite",
  loginFailed: "Erreur d'identifiant et/ou de mot de passe.",
  tokenNotFound: "Token not found",
  offline: "Connexion perdue",
  reload: "rafraîchir",
} as const;

/** What only the console shows (spec §2, §8). */
export const consoleLines = {
  tokenExpired: "Token expiré, suppression du cookie de session.",
  tokenUndecodable: "Erreur lors du décodage du token :",
  workerRegistered: "Service Worker enregistré",
  workerFailed: "Erreur SW :",
} as const;

/** Words of our own that several rooms show alike. */
export const words = {
  newVersion: "Nouvelle version, actualiser",
  sessionEnded: "Votre session est terminée. Reconnectez-vous.",
  loggedOut: "Vous êtes déconnecté.",
} as const;
