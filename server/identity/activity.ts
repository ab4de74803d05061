// The words of the activity log: one French line for each action of the audit trail, of every room.

type Details = Record<string, unknown>;

const labels: Readonly<Record<string, string>> = {
  "session.open": "Connexion",
  "session.open_passkey": "Connexion par clé d'accès",
  "session.close": "Déconnexion",
  "session.end": "Connexion fermée à distance",
  "session.end_others": "Déconnexion partout ailleurs",
  "login.new_device": "Connexion depuis un nouvel appareil",
  "login.denied": "Connexion signalée : « Ce n'était pas moi »",
  "passkey.add": "Clé d'accès ajoutée",
  "passkey.rename": "Clé d'accès renommée",
  "passkey.remove": "Clé d'accès supprimée",
  "passkey.counter": "Clé d'accès refusée : elle semble exister en double",
  "recovery.make": "Codes de secours créés",
  "password.recovery": "Nouveau mot de passe choisi avec un code de secours",
  "password.reset": "Premier mot de passe choisi",
  "password.change": "Mot de passe changé",
  "password.forgot": "Mot de passe oublié : nouveau mot de passe choisi",
  "profile.email": "Adresse e-mail changée",
  "profile.phone": "Numéro de téléphone changé",
  "card.suspend": "Carte suspendue",
  "card.resume": "Carte réactivée",
  "card.oppose": "Carte mise en opposition",
  "card.activate": "Carte de remplacement activée",
  "health.keep": "Allergènes enregistrés",
  "health.withdraw": "Allergènes effacés",
  "privacy.export": "Export des données demandé",
  "privacy.close": "Fermeture du compte demandée",
  "privacy.keep": "Fermeture du compte annulée",
  "privacy.closed": "Compte fermé",
  "card.expire": "Carte arrivée à son dernier jour",
  "card.approved": "Demande de carte acceptée",
  "card.in_production": "Carte en fabrication",
  "card.shipped": "Carte expédiée",
  "card.received": "Carte reçue",
  "family.invite": "Invitation envoyée",
  "family.accept": "Invitation acceptée",
  "family.decline": "Invitation refusée",
  "family.join": "Carte rattachée avec son code imprimé",
  "family.leave": "Membre retiré de la famille",
  "family.limits": "Plafonds de la carte changés",
  "family.code": "Code imprimé préparé",
  "enrolment.ask": "Première carte demandée",
  "custody.propose": "Garde proposée",
  "custody.agreed": "Garde convenue",
  "custody.declined": "Garde refusée",
  "custody.withdrawn": "Proposition de garde retirée",
  "proof.send": "Justificatif envoyé",
  "proof.validated": "Justificatif validé",
  "proof.refused": "Justificatif refusé",
  "contact.answer": "Réponse du service clients",
  "document.read": "Fichier joint consulté par le service clients",
  "transfer.send": "Virement envoyé",
  "pass.buy": "Titre de transport acheté",
  "pass.suspend": "Titre de transport suspendu",
  "pass.resume": "Titre de transport repris",
  "pass.duplicate": "Duplicata d'un titre de transport",
  "pass.exemption_accepted": "Frais de retard annulés",
  "pass.exemption_refused": "Frais de retard maintenus",
  "subscription.buy": "Abonnement souscrit",
  "subscription.cancel": "Abonnement annulé",
  "subscription.approved": "Justificatifs d'abonnement acceptés",
  "subscription.refused": "Justificatifs d'abonnement refusés",
  "top_up.start": "Recharge demandée",
  "ticket.buy": "E-billets achetés",
  "ticket.cancel": "E-billet annulé",
  "ticket.transfer": "E-billet proposé à une carte",
  "ticket.accept": "E-billet accepté",
};

/** The line of an action; an action without words of its own is still shown. */
export function activityLabel(action: string, details: Details = {}): string {
  const label = labels[action] ?? "Opération sur le compte";
  const what = details["device"] ?? details["name"];
  if (typeof what === "string") return `${label} (${what})`;
  const failures = Number(details["failures"] ?? 0);
  if (action !== "session.open" || failures === 0) return label;
  return `${label} après ${failures === 1 ? "un essai refusé" : `${failures} essais refusés`}`;
}
