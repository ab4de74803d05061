// The portal's own legal texts, shown until the operator publishes theirs. They state the facts of the
// software and say explicitly what the operator must complete.
import type { LegalPage } from "#contract/content/legal.ts";

const toComplete = "[à compléter par l’exploitant]";

const accessibility = `L’exploitant de ce portail s’engage à le rendre accessible, conformément à l’article 47 de la loi n° 2005-102 du 11 février 2005. Exploitant : ${toComplete}.

## État de conformité

Aucun audit de conformité en cours de validité n’a été publié pour ce portail : au sens de la loi, il est non conforme au référentiel général d’amélioration de l’accessibilité (RGAA 4.1.2).

L’éditeur du logiciel tient une auto-évaluation des 106 critères. Elle repose sur des contrôles automatiques de chaque écran (règles d’axe, navigation au clavier, texte à 200 %, espacement du texte, couleurs forcées) et sur une lecture du code. Aucune restitution par un lecteur d’écran n’a été vérifiée.

## Contenus non accessibles

Non-conformités connues :

- les documents PDF (relevés, reçus, billets) n’ont été vérifiés avec aucun lecteur d’écran ;
- le plan des partenaires se lit par sa liste, pas par le dessin de la carte.

Dérogations pour charge disproportionnée : aucune n’est demandée.

Contenus non soumis à l’obligation : les documents que d’autres ont écrits (justificatifs déposés, affiches d’événements) et la page de paiement du prestataire.

## Établissement de cette déclaration

Technologies : HTML, CSS, JavaScript, SVG, WAI-ARIA. Vérifications faites avec Chromium. Déclaration établie par l’éditeur du logiciel ; date et auteur de l’audit : ${toComplete}.

## Retour d’information et contact

Si un contenu ou un service vous est inaccessible, dites-le nous : vous serez orienté vers une autre solution, ou le contenu vous sera donné sous une autre forme. Une fois connecté, écrivez depuis la page Contact. Adresse postale, courriel et téléphone : ${toComplete}.

## Voies de recours

Si vous avez signalé un défaut d’accessibilité et n’avez pas obtenu de réponse satisfaisante, vous pouvez :

- écrire au Défenseur des droits : https://formulaire.defenseurdesdroits.fr/ ;
- contacter son délégué dans votre région : https://www.defenseurdesdroits.fr/saisir/delegues ;
- envoyer un courrier, gratuit et sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07.

## Schéma pluriannuel

Politique d’accessibilité, référent, moyens et formation, sur trois ans au plus : ${toComplete}.

## Plan d’actions de l’année

- faire auditer le portail par un tiers, lecteurs d’écran compris : ${toComplete} ;
- corriger les non-conformités constatées, et publier le résultat ici : ${toComplete} ;
- faire essayer les écrans principaux par des personnes concernées : ${toComplete}.`;

const notices = `## Éditeur

Dénomination, forme juridique, adresse du siège, téléphone et courriel de l’exploitant : ${toComplete}.

Numéro d’immatriculation et de TVA, s’il y a lieu : ${toComplete}.

## Directeur de la publication

${toComplete}

## Hébergeur

Nom, adresse et téléphone : ${toComplete}.

## Propriété

Les noms et logos des partenaires, des événements et des réseaux de transport sont à leurs titulaires. Les tuiles de plan, s’il y en a : ${toComplete}.

## Conditions générales

Conditions d’utilisation de la carte et des cagnottes, délai de rétractation, médiateur de la consommation : ${toComplete}.`;

const personalData = `Qui répond de vos données (responsable de traitement) : ${toComplete}. Délégué à la protection des données : ${toComplete}.

## Pourquoi ces données

Elles servent à tenir votre carte et vos cagnottes, à vendre et contrôler vos titres, à établir vos droits et tarifs, et à protéger votre compte. La base est le contrat que vous avez avec l’exploitant, la loi pour les écritures comptables, et votre accord pour les données de santé (allergies).

## Qui les reçoit

Les personnes habilitées de l’exploitant ; le prestataire de paiement pour ce qui le concerne ; le partenaire ou le transporteur à qui vous présentez un titre, pour ce titre seul. Sous-traitants et lieux d’hébergement : ${toComplete}. Le service qui fournit le fond des plans, s’il y en a un, apprend l’adresse de votre connexion et la partie du plan que vous regardez : ${toComplete}.

Aucune donnée n’est vendue. Aucune mesure d’audience ni publicité : le portail ne garde sur votre appareil que ce qu’il faut pour votre session, vos préférences et vos titres hors ligne.

## Vos droits

Accès, rectification, effacement, limitation, opposition, portabilité, retrait de votre accord. Une fois connecté, la page Mes données exporte tout ce qui vous concerne et permet de fermer le compte. Pour le reste, écrivez au délégué ci-dessus.

Vous pouvez vous plaindre à la CNIL : https://www.cnil.fr/fr/plaintes`;

/** The text of each page until the operator publishes one. */
export const defaultTexts: Readonly<Record<LegalPage, string>> = {
  accessibilite: accessibility,
  "mentions-legales": notices,
  donnees: personalData,
};
