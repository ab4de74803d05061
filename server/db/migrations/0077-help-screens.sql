-- Help for every screen of the menus, with links to them. `[Suivi des repas](/commande/cantine/suivi)` is a link, and
-- `{topUpMin}` a figure that the server writes from its limits and settings (server/content/figures.ts).

alter table faq_article drop constraint faq_article_category;
alter table faq_article add constraint faq_article_category check (category in
  ('money', 'card', 'canteen', 'services', 'sign_in', 'family', 'professional', 'portal'));

-- An answer that the operator has edited keeps its words but for these; each is replaced by itself, as an answer has
-- several.
do $$
declare part record;
begin
  for part in select * from (values
  ('recharger-une-cagnotte', 'Depuis l’accueil ou la page Cagnottes, appuyez', 'Sur [Ma carte](/dashboard), appuyez'),
  ('montants-de-recharge', 'Une recharge va de 5 € à 500 €, et une cagnotte contient au plus 1 000 €. L’exploitant du service peut régler ces montants : ceux qui valent pour vous sont affichés au moment de recharger.',
    'Une recharge va de {topUpMin} à {topUpMax}, et une cagnotte contient au plus {walletCap}. Les montants qui valent pour vous sont affichés au moment de recharger.'),
  ('montants-de-recharge', 'Pour les grosses recharges, nous vous demandons un code', 'À partir de {topUpCodeFrom} en 24 heures, nous vous demandons un code'),
  ('faire-un-virement', 'Depuis l’accueil, choisissez « Envoyer », la cagnotte de départ', 'Ouvrez [Virement](/cagnottes/virement), par « Envoyer » sur [Ma carte](/dashboard), et choisissez la carte de départ'),
  ('faire-un-virement', 'À partir de 50 €, un code', 'À partir de {codeFrom} en 24 heures, un code'),
  ('carte-perdue', 'depuis l’accueil, « Gérer la carte »', 'sur [Ma carte](/dashboard), « Gérer la carte »'),
  ('suspendre-ma-carte', 'Depuis l’accueil, ouvrez', 'Sur [Ma carte](/dashboard), ouvrez'),
  ('activer-ma-carte', 'l’accueil vous propose', '[Ma carte](/dashboard) vous propose'),
  ('presenter-le-qr-code', 'Sur l’accueil, ouvrez', 'Sur [Ma carte](/dashboard), ouvrez'),
  ('mot-de-passe-oublie', 'il sert à choisir un nouveau mot de passe.', 'il sert à choisir un nouveau mot de passe, et vous êtes ensuite connecté.'),
  ('mot-de-passe-oublie', 'Le code dure 10 minutes.', 'Le code dure {codeMinutes} minutes.'),
  ('code-non-recu', 'Après trois envois, il faut attendre un quart d’heure.', 'Après {codeSends} envois, il faut attendre {codeWaitMinutes} minutes.'),
  ('changer-mot-de-passe', 'Dans Profil, choisissez', 'Dans [Profil](/profil), choisissez'),
  ('changer-mot-de-passe', 'au moins 12 caractères', 'au moins {passwordLength} caractères'),
  ('cles-d-acces', 'depuis Profil.', 'depuis [Profil](/profil).'),
  ('codes-de-secours', 'dans Profil,', 'dans [Profil](/profil),'),
  ('connexion-inconnue', 'Profil montre aussi', '[Profil](/profil) montre aussi'),
  ('session-terminee', 'au bout de 12 heures', 'au bout de {sessionHours} heures'),
  ('ajouter-un-proche', 'Dans Famille,', 'Dans [Famille](/family),'),
  ('ajouter-un-proche', 'attend 14 jours', 'attend {invitationDays} jours'),
  ('plafonds-enfant', 'Dans Famille,', 'Dans [Famille](/family),'),
  ('agir-pour-un-enfant', 'dans Famille et', 'dans [Famille](/family) et'),
  ('changer-telephone-email', 'Dans Profil,', 'Dans [Profil](/profil),'),
  ('notifications', 'Les nouvelles arrivent sans recharger la page.',
    E'Les nouvelles arrivent sans recharger la page. Ce que vous faites vous-même y est déjà lu.\n\n[Notifications](/profil/notifications), dans votre profil, règle ce qui vous est aussi envoyé par e-mail ou par SMS.'),
  ('rembourser', 'écrivez-nous depuis Contact.', 'écrivez-nous depuis [Contact](/contact).'),
  ('recharge-automatique', 'ouvrez « Automatismes »', 'ouvrez « Alertes et recharge automatique »'),
  ('acheter-un-titre-de-bus', 'Ouvrez Bus, puis', 'Ouvrez [Bus](/Abonnement/ligne), puis'),
  ('horaires-de-bus', 'Dans Bus,', 'Dans [Bus](/Abonnement/ligne),'),
  ('titre-de-bus-perdu', 'Ouvrez le titre dans Bus. « Duplicata » fait', 'Ouvrez le titre dans [Bus](/Abonnement/ligne). « Demander un duplicata » fait'),
  ('acheter-un-billet', 'Ouvrez E-billets,', 'Ouvrez [E-billets](/services/E-Billet),'),
  ('acheter-un-billet', 'gardées 25 minutes', 'gardées {cartMinutes} minutes'),
  ('abonnement-a-la-carte', 'Ouvrez Abonnement :', 'Ouvrez [Abonnement](/servivces/abonnement) :'),
  ('ou-ma-carte-sert', 'Ouvrez Services, puis Partenaires.', 'Ouvrez [Où ma carte est acceptée](/services/partner), dans [Services](/services).'),
  ('envoyer-un-justificatif', 'Dans Famille, ouvrez « Droits » :', 'Ouvrez [Droits et justificatifs](/family/droits) :'),
  ('semaines-de-garde', 'dans Famille, puis', 'dans [Famille](/family), puis'),
  ('ecrire-au-service', 'Ouvrez Contact,', 'Ouvrez [Contact](/contact),'),
  ('fermer-mon-compte', 'Dans Profil, ouvrez « Mes données », puis', 'Ouvrez [Mes données](/profil/donnees), puis'),
  ('fermer-mon-compte', 'se ferme quatorze jours plus tard', 'se ferme {closureDays} jours plus tard')
  ) as parts (id, old, new) loop
    update faq_article set body = replace(body, part.old, part.new) where id = part.id;
  end loop;
end $$;

update faq_article set question = replace(question, 'envoyer de l’argent à', 'envoyer de l’argent par virement à')
where id = 'faire-un-virement';

-- Words by which people look for what is there already.
update faq_article set keywords = keywords || ' ' || added
from (values
  ('rembourser', 'rib'),
  ('fermer-mon-compte', 'rib iban'),
  ('faire-un-virement', 'famille'),
  ('plafonds-enfant', 'plafonds')
) as words (id, added) where faq_article.id = words.id;

insert into faq_synonym (words) values
('malade maladie fièvre'),
('allergie allergène intolérance'),
('rib iban'),
('tpe terminal encaisser'),
('salarié employé personnel'),
('cantine restauration')
on conflict (words) do nothing;

insert into faq_article (id, place, category, audience, question, keywords, body) values
('recu-d-un-achat', 55, 'money', null, 'Où trouver le reçu d’un achat ?',
 'achat facture preuve paiement titre quittance pdf',
 'À la fin de chaque achat, le portail dit ce qui a été payé par chaque cagnotte, aide ou carte bancaire. « Télécharger le reçu (PDF) » garde ce détail et le numéro du reçu.

Le reçu vous est aussi envoyé par e-mail, ou par SMS si vous n’avez pas d’adresse, sauf choix contraire dans [Notifications](/profil/notifications).'),
('plusieurs-cagnottes', 85, 'money', 1, 'À quoi servent mes cagnottes ?',
 'cagnotte solde compte principale payer groupe',
 '[Cagnottes](/services/cagnottes) montre l’argent de votre carte. La cagnotte principale paie partout. Chaque autre cagnotte paie là où elle est acceptée : c’est écrit sous son nom.

Si une cagnotte ne suffit pas, la cagnotte principale complète, ou une carte bancaire quand l’achat le permet.'),
('achat-a-confirmer', 87, 'money', null, 'Un commerçant me demande de confirmer un achat',
 'demande confirmer accepter refuser numero commercant',
 'Quand un commerçant saisit votre numéro de carte, sa demande s’affiche dans [Achats à confirmer](/cagnottes/demandes). Vérifiez le commerce et le montant, puis acceptez ou refusez.

Sans réponse, la demande s’arrête au bout de {saleMinutes} minutes et rien n’est payé.'),
('mes-points', 88, 'money', 1, 'À quoi servent mes points ?',
 'points fidelite remise avantage gagner',
 'Chez les commerçants qui en donnent, un achat à la caisse rapporte des points, ajoutés {tillCancelMinutes} minutes après. Un point vaut {pointValue} de remise, à la caisse de l’entreprise qui l’a donné.

[Mes points](/cagnottes/points) dit combien il vous en reste, et jusqu’à quand.'),

('commander-un-repas', 300, 'canteen', 1, 'Comment commander des repas à la cantine ?',
 'cantine repas commande reserver dejeuner midi ecole scolaire semaine',
 'Ouvrez [Cantine](/commande/cantine) et choisissez le restaurant. Touchez les jours de chaque personne, ou « Commander par semaines » pour une longue période, puis « Commander ». Tout est montré avant que vous payiez.

Le prix est mis de côté dans la cagnotte, et dépensé quand le repas est servi. Rien n’est réservé avant la commande, et un jour ne se commande plus après l’heure limite de la cantine.'),
('inscrire-a-la-cantine', 301, 'canteen', 1, 'Comment inscrire mon enfant à la cantine ?',
 'inscription classe regime rentree ecole dossier',
 'Ouvrez [Cantine](/commande/cantine), choisissez le restaurant, puis remplissez « Inscriptions » : l’enfant, sa classe, son régime et vos accords. La cantine accepte la demande, ou la refuse en disant pourquoi.

L’inscription vaut jusqu’à la fin de l’année scolaire. Celle de l’année suivante se demande à partir de juin.'),
('menus-de-la-cantine', 302, 'canteen', 1, 'Où voir les menus de la cantine ?',
 'menu plats manger semaine entree dessert vegetarien bio',
 'Dans [Cantine](/commande/cantine), la page d’un restaurant montre les menus de la semaine dès que la cuisine les a publiés. Les flèches changent de semaine. Les allergènes de chaque plat sont indiqués.'),
('annuler-un-repas', 303, 'canteen', 1, 'Comment annuler un repas ?',
 'annulation repas cantine decommander desister empeche',
 'Ouvrez [Suivi des repas](/commande/cantine/suivi), puis « Annuler » sous le repas. Ce qui vous est rendu est montré avant que vous confirmiez : tout jusqu’à l’heure indiquée, une part seulement ensuite selon la cantine.

Un repas s’annule jusqu’au début du service.'),
('enfant-malade', 304, 'canteen', 1, 'Mon enfant est malade, que deviennent ses repas ?',
 'malade absence absent certificat medical repas cantine signaler',
 'Ouvrez [Suivi des repas](/commande/cantine/suivi), « Signaler un enfant malade », et indiquez les jours, {sickDays} au plus. Ce qui est rendu tout de suite, ce qui reste dû et ce qui dépend d’un certificat est montré avant que vous confirmiez.

Si la cantine demande un certificat, envoyez-le depuis la même page, au plus tard {proveDays} jours après le dernier jour d’absence.'),
('declarer-une-allergie', 305, 'canteen', 1, 'Comment déclarer une allergie ?',
 'allergene pai sante arachide gluten lait oeuf repas cantine',
 'Ouvrez [Allergènes](/profil/allergenes), ou la fiche de l’enfant dans [Famille](/family), cochez ce qui ne doit pas être servi et donnez votre accord. La cantine ne le voit que si vous l’acceptez aussi à l’inscription.

Un repas dont le menu contient un allergène déclaré, ou ne dit pas tout ce qu’il contient, vous est signalé avant la commande. Vous pouvez retirer votre accord à tout moment : ces informations sont alors effacées.'),
('cantine-complete', 306, 'canteen', 1, 'La cantine est complète ce jour-là, que faire ?',
 'complet plein liste attente libre',
 'Sur la page du restaurant, dans [Cantine](/commande/cantine), touchez « Attendre une place » sous le jour complet. Si une place se libère, elle vous est gardée {mealOfferHours} heures au plus, et vous en êtes prévenu.'),
('attestation-de-cantine', 307, 'canteen', 1, 'Où trouver une attestation des repas payés ?',
 'attestation impot annee depense cantine releve justificatif caf',
 'Dans [Suivi des repas](/commande/cantine/suivi), « Ce que les repas ont coûté » donne les dépenses d’un mois, et « Attestation de l’année » un document en PDF.

Elle dit les repas payés. Les repas ne comptent pas dans le crédit d’impôt pour frais de garde.'),

('encaisser', 400, 'professional', 2, 'Comment encaisser une carte à la caisse ?',
 'caisse encaisser tpe terminal vendre vente client boutique magasin paiement',
 'Ouvrez [Caisse](/partenaire/caisse), saisissez le montant, puis lisez le QR code de la carte avec l’appareil photo ou un lecteur, ou saisissez son numéro.

Avec le QR code, la vente est payée aussitôt, sauf si une confirmation est demandée à la personne. Avec le numéro, la personne confirme sur son portail, ou vous dit le code qu’elle reçoit, dans les {saleMinutes} minutes.'),
('rembourser-une-vente', 401, 'professional', 2, 'Comment annuler ou rembourser une vente ?',
 'remboursement erreur retour vente caisse annulation client',
 'Dans [Caisse](/partenaire/caisse), ouvrez « Ventes ». Une vente s’annule en entier pendant {tillCancelMinutes} minutes ; plus tard, le responsable ou le comptable la rembourse, en tout ou en partie.

L’argent revient aux cagnottes qui ont payé.'),
('caisse-sans-reseau', 402, 'professional', 2, 'Puis-je encaisser sans réseau ?',
 'hors connexion coupure panne internet caisse',
 'Oui, avec le QR code seul, sur un appareil où [Caisse](/partenaire/caisse) a été ouverte avec le réseau depuis moins de {listHours} heures. Une vente va alors jusqu’à {offlineCharge}, et celles qui attendent jusqu’à {offlineTill}.

La caisse les envoie dès que le réseau revient : laissez-la ouverte. Ce qu’une carte ne peut pas payer alors reste à la charge de votre entreprise.'),
('cloturer-la-caisse', 403, 'professional', 2, 'Comment clôturer la journée de caisse ?',
 'cloture total fin z caisse journee ticket',
 'Dans [Caisse](/partenaire/caisse), « Journée » montre les totaux par personne, puis « Clôturer la journée » les garde sous le numéro suivant. Ils ne changent plus : un remboursement fait ensuite compte dans la prochaine clôture.'),
('gerer-la-cantine', 410, 'professional', 2, 'Comment gérer ma cantine ?',
 'cantine menu menus repas allergene quantites cuisine publier inscription absence malade fermeture regle prix releve message',
 '[Cantine](/pro/cantine) réunit les menus, à saisir, copier ou importer, les quantités à cuisiner et, selon votre rôle, les inscriptions, les absences, les messages, les règles, les fermetures et le relevé.

Un menu n’est vu des familles qu’une fois publié.'),
('guichet-de-cantine', 411, 'professional', 2, 'Comment servir au guichet de la cantine ?',
 'guichet service valider passage scanner eleve enfant repas cantine sans reservation',
 'Ouvrez [Guichet de cantine](/partenaire/validation) avec le réseau avant le service : la liste du jour est alors gardée sur l’appareil. Lisez la carte ou le code du repas, saisissez le numéro, ou cherchez le nom dans « Liste ».

Une erreur se reprend pendant {undoMinutes} minutes.'),
('suivre-les-repas', 412, 'professional', 2, 'Comment suivre les repas commandés ?',
 'suivi commandes repas cantine refuser servir exporter liste absence',
 '[Suivi de la cantine](/partenaire/Suivi_cantine) montre les repas d’un jour ou d’une période de {followedDays} jours au plus. Sélectionnez-en jusqu’à {mealsAtOnce} pour les valider, les servir ou les refuser en une fois.

Les mêmes lignes s’exportent en CSV ou en PDF.'),
('controler-un-billet', 413, 'professional', 2, 'Comment contrôler un billet ou un titre de transport ?',
 'controle billet ticket entree bus titre scanner porte evenement',
 'Ouvrez [Contrôle des billets et des titres](/partenaire/billets) et lisez le code avec l’appareil photo ou un lecteur. Un billet n’entre qu’une fois. Le contrôle demande le réseau.'),
('transport-des-salaries', 420, 'professional', 2, 'Comment payer le transport de mes salariés ?',
 'transport bus abonnement salarie employeur part inscrire paie',
 'Ouvrez l’offre de transport depuis [Services](/services), ou « Transport » dans le menu. Fixez la part de l’entreprise, puis « Inscrire un salarié » avec le numéro de sa carte personnelle : il accepte avant que vous payiez quoi que ce soit.

« Paie » donne, mois par mois, ce qui a été pris en charge.'),
('cartes-pro', 421, 'professional', 2, 'Comment gérer les cartes de mes salariés ?',
 'carte pro salarie suspendre opposition perdue volee plafond plafonds attribuer',
 '[Cartes pro](/professional/card_pro) liste les cartes de l’entreprise. Un responsable les attribue, fixe leurs plafonds, les suspend ou les met en opposition ; la personne en est prévenue.

Le solde et les achats d’une carte ne sont vus que de la personne qui la porte.'),
('commander-des-cartes', 422, 'professional', 2, 'Comment commander des cartes pro ?',
 'commande carte nouvelle fabriquer livraison suivi',
 'Ouvrez [Commande de cartes](/card) : les personnes, une à une ou par un fichier CSV, le modèle, la livraison, puis le prix. La commande en cours attend sur le portail si vous vous arrêtez.

Elle s’annule jusqu’à sa mise en fabrication. Son suivi est sur la même page.'),
('dotations', 423, 'professional', 2, 'Comment mettre de l’argent sur les cartes pro ?',
 'dotation dotations aide prime argent salarie carte accorder reprendre',
 'Dans [Dotations](/professional/dotations), un responsable accorde de {grantMin} à {grantMax} par carte, à {grantCards} cartes au plus, jusqu’à une date et là où il le choisit. Vous payez avec votre cagnotte, par carte bancaire, ou par virement quand il est proposé.

Ce qui n’est pas dépensé se reprend pendant {grantTakeBackHours} heures ; ce qui reste à la date de fin revient à l’entreprise.'),
('factures', 424, 'professional', 2, 'Où sont mes factures ?',
 'facture factures avoir payer pdf tva comptable',
 '[Factures](/professional/invoice) liste les factures et les avoirs de l’entreprise, en PDF et en fichier électronique. Une facture se règle par virement avec sa référence, ou tout de suite sur le portail.'),
('reglements', 425, 'professional', 2, 'Quand mes ventes me sont-elles versées ?',
 'reglement versement virement commission releve verser argent vente payer',
 '[Règlements](/professional/reglements) montre ce qui vous est dû et explique chaque mois clos : les ventes, la commission, le versement. Un versement part sur le compte bancaire de l’entreprise.'),
('compte-bancaire', 426, 'professional', 2, 'Comment changer le RIB de l’entreprise ?',
 'rib iban banque compte bancaire changer coordonnees',
 'Dans [Mon entreprise](/professional/entreprise), un responsable saisit le nouvel IBAN et le confirme par un code. Les versements attendent {bankHours} heures après un changement, le temps que les autres responsables puissent l’annuler.'),
('equipe-et-roles', 427, 'professional', 2, 'Comment donner un rôle à quelqu’un de l’entreprise ?',
 'equipe role responsable comptable caisse droit acces collegue',
 'Dans [Mon entreprise](/professional/entreprise), « Équipe » : un responsable donne à qui porte une carte de l’entreprise le rôle de responsable, de comptable ou de caisse, et le retire.'),
('partenariats', 428, 'professional', 2, 'Comment faire un partenariat avec une autre entreprise ?',
 'partenariat partenaire remise inviter conditions entreprise',
 'Dans [Partenaires](/professional/partenaire), invitez une entreprise par son SIRET ou le numéro d’une de ses cartes pro, avec les remises que vous proposez. Elles valent une fois que l’autre entreprise a accepté, et chacune peut y mettre fin.'),
('fiche-de-l-annuaire', 429, 'professional', 2, 'Comment modifier ma fiche dans l’annuaire ?',
 'fiche annuaire horaires adresse categorie avantage repertoire fermeture presentation',
 'Un responsable écrit la fiche dans [Catégories](/professional/category) : textes, téléphone, horaires, fermetures et avantages, lus aussitôt par les porteurs. Un autre nom ou une autre adresse attend l’accord du réseau.

[Répertoire](/professional/repertory) et [Où ma carte est acceptée](/services/partner) montrent l’annuaire comme les porteurs le voient.'),
('le-portail-ne-marche-pas', 282, 'portal', null, 'Le portail ne fonctionne pas bien sur mon appareil',
 'panne bug lent bloque erreur appareil navigateur diagnostic',
 '[Diagnostic](/test/bien) teste ce qui relie cet appareil au portail et dit quoi faire. Vous pouvez copier le rapport et nous l’envoyer depuis [Contact](/contact).');
