-- Help: questions and answers, searched in French without accents and by likeness of letters. Legal pages.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

create text search configuration faq (copy = french);
alter text search configuration faq
  alter mapping for hword, hword_part, word with unaccent, french_stem;

create table faq_article (
  id text primary key constraint faq_article_id check (id ~ '^[a-z0-9-]{1,60}$'),
  -- Order on the screen.
  place integer not null unique,
  category text not null constraint faq_article_category
    check (category in ('money', 'card', 'canteen', 'services', 'sign_in', 'family', 'professional',
      'portal')),
  -- 1 or 2 when the answer is for one kind of account only.
  audience smallint constraint faq_article_audience check (audience in (1, 2)),
  question text not null,
  -- Other words by which people look for it, without accents.
  keywords text not null,
  -- `[Suivi des repas](/commande/cantine/suivi)` is a link, and `{topUpMin}` a figure that the server writes
  -- from its limits and settings.
  body text not null,
  summary text not null generated always as (split_part(body, E'\n\n', 1)) stored,
  -- These are written by faq_article_words: unaccent is not immutable.
  search tsvector not null,
  letters text not null,
  -- The forms of the question and of the other words: what a typing error is compared with.
  own_words text[] not null
);

-- Sets of words of which any finds the others: « car autocar bus ». The operator edits them.
create table faq_synonym (
  words text primary key,
  -- Their stems and the words without accents, written by faq_synonym_forms.
  forms text[] not null
);

-- The stems of a text, and its words as they are typed, without accents.
create function faq_forms(text) returns text[] language sql stable as $$
  select array_agg(distinct form) from (
    select unnest(tsvector_to_array(to_tsvector('faq', $1)))
    union select regexp_split_to_table(lower(unaccent($1)), '[^a-z0-9]+')) forms (form)
  where length(form) > 1
$$;

create function faq_article_words() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector('faq', new.question), 'A')
    || setweight(to_tsvector('faq', new.keywords), 'B')
    || setweight(to_tsvector('faq', new.body), 'D');
  new.letters := lower(unaccent(new.question || ' ' || new.keywords));
  new.own_words := faq_forms(new.question || ' ' || new.keywords);
  return new;
end $$;
create trigger faq_article_words before insert or update on faq_article
  for each row execute function faq_article_words();

create function faq_synonym_forms() returns trigger language plpgsql as $$
begin
  new.forms := faq_forms(new.words);
  return new;
end $$;
create trigger faq_synonym_forms before insert or update on faq_synonym
  for each row execute function faq_synonym_forms();

create table faq_vote (
  article_id text not null references faq_article (id) on delete cascade,
  person_id bigint not null references person (id),
  useful boolean not null,
  at timestamptz not null,
  primary key (article_id, person_id)
);
create index faq_vote_of_person on faq_vote (person_id);

-- Legal pages as the operator wrote them; a page without a row shows the portal's own text.
create table legal_page (
  page text primary key
    constraint legal_page_name check (page in ('accessibilite', 'mentions-legales', 'donnees')),
  body text not null constraint legal_page_body check (length(body) between 1 and 30000),
  -- What the page on accessibility declares; no other page has one.
  conformity text constraint legal_page_conformity
    check (conformity in ('none', 'partial', 'full')),
  published_at timestamptz not null,
  constraint legal_page_declares check ((page = 'accessibilite') = (conformity is not null))
);

insert into faq_synonym (words) values
('bus car autocar tram tramway navette transport'),
('remboursement rembourser rendre restituer'),
('argent sous fric euros monnaie'),
('mdp password'),
('téléphone portable mobile smartphone tel'),
('e-mail email mail courriel mel'),
('perdu perte égaré'),
('volé vol dérobé'),
('enfant fils fille gosse ado mineur'),
('conjoint mari femme époux épouse compagnon compagne'),
('billet ticket place entrée'),
('magasin commerce boutique commerçant partenaire'),
('facture reçu quittance'),
('fermer supprimer clôturer résilier effacer'),
('abonnement abonner formule forfait'),
('virement transfert virer transférer'),
('annuler annulation désister'),
('horaire heure passage'),
('malade maladie fièvre'),
('allergie allergène intolérance'),
('rib iban'),
('tpe terminal encaisser'),
('salarié employé personnel'),
('cantine restauration');

insert into faq_article (id, place, category, audience, question, keywords, body) values
('recharger-une-cagnotte', 10, 'money', null, 'Comment recharger une cagnotte ?',
 'recharge ajouter argent payer carte bancaire crediter approvisionner solde',
 'Sur [Ma carte](/dashboard), appuyez sur « Recharger », choisissez le montant, vérifiez, puis payez sur la page sécurisée du service de paiement.

L’argent est ajouté dès que le paiement est confirmé. Vous pouvez quitter la page : l’opération se termine sans vous et une notification vous le dit.'),
('montants-de-recharge', 20, 'money', null, 'Quel montant puis-je recharger ?',
 'minimum maximum plafond limite recharge combien euros',
 'Une recharge va de {topUpMin} à {topUpMax}, et une cagnotte contient au plus {walletCap}. Les montants qui valent pour vous sont affichés au moment de recharger.

À partir de {topUpCodeFrom} en 24 heures, nous vous demandons un code envoyé par SMS ou par e-mail.'),
('recharge-en-attente', 30, 'money', null, 'Ma recharge n’apparaît pas, que faire ?',
 'attente paiement debite banque pas recu argent perdu manque disparu',
 'Un paiement peut rester quelques minutes en attente de la réponse de la banque. La page de la recharge montre où il en est : vous la retrouvez dans « Dernières recharges ».

Si vous avez été débité, l’argent n’est pas perdu : nous interrogeons nous-mêmes le service de paiement jusqu’à connaître l’issue, et la cagnotte est créditée même si la réponse arrive en retard. Ne payez pas une deuxième fois tant que la recharge est « en attente ».'),
('paiement-refuse', 40, 'money', null, 'Mon paiement a été refusé, ai-je été débité ?',
 'refus carte bancaire echec banque erreur',
 'Non : une recharge refusée n’est pas payée et la cagnotte ne change pas. Votre banque peut afficher une autorisation pendant quelques jours avant de l’effacer.

Appuyez sur « Réessayer », ou utilisez une autre carte bancaire. Si le refus continue, demandez-en la raison à votre banque.'),
('recu-de-recharge', 50, 'money', null, 'Où trouver le reçu d’une recharge ?',
 'recu justificatif facture preuve telecharger pdf',
 'Appuyez sur « Recharger » : vos dernières recharges sont sous le montant. Ouvrez celle que vous cherchez ; si elle est payée, vous pouvez télécharger son reçu en PDF.'),
('recu-d-un-achat', 55, 'money', null, 'Où trouver le reçu d’un achat ?',
 'achat facture preuve paiement titre quittance pdf',
 'À la fin de chaque achat, le portail dit ce qui a été payé par chaque cagnotte, aide ou carte bancaire. « Télécharger le reçu (PDF) » garde ce détail et le numéro du reçu.

Le reçu vous est aussi envoyé par e-mail, ou par SMS si vous n’avez pas d’adresse, sauf choix contraire dans [Notifications](/profil/notifications).'),
('releve-de-compte', 60, 'money', null, 'Comment télécharger mes opérations ?',
 'releve export csv pdf tableur historique mouvements compte imprimer',
 'Ouvrez « Opérations » depuis la cagnotte. Filtrez par dates ou par genre si vous le souhaitez, puis téléchargez le relevé en PDF ou les lignes en CSV pour un tableur.'),
('faire-un-virement', 70, 'money', null, 'Comment envoyer de l’argent par virement à une autre carte ?',
 'virement transfert transferer envoyer donner enfant proche famille',
 'Ouvrez [Virement](/cagnottes/virement), par « Envoyer » sur [Ma carte](/dashboard), et choisissez la carte de départ, la carte qui reçoit et le montant. Vérifiez, puis confirmez : l’argent arrive aussitôt.

L’argent s’envoie aux cartes de votre famille. À partir de {codeFrom} en 24 heures, un code vous est demandé. Seul l’argent rechargé peut être envoyé : une aide reste à la personne qui l’a reçue.'),
('aides-et-argent-recharge', 80, 'money', null, 'Quelle différence entre une aide et l’argent rechargé ?',
 'aide subvention mairie expiration date lot bonus points',
 'Une aide vous est donnée pour un usage et peut avoir une date de fin. Elle est dépensée en premier, pour que vous ne la perdiez pas. L’argent que vous rechargez reste à vous et s’utilise ensuite.

Le détail est affiché dans chaque cagnotte.'),
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
('cagnotte-bloquee', 90, 'money', null, 'Pourquoi ma cagnotte est-elle bloquée ?',
 'bloque gel litige contestation banque gelee',
 'Une recharge a été contestée auprès de la banque. Pendant le litige, la cagnotte ne paie plus et ne se recharge plus.

Si la contestation est une erreur, annulez-la auprès de votre banque.'),
('rembourser', 92, 'money', null, 'Comment me faire rembourser ?',
 'remboursement argent rendu recuperer iban rib',
 'Un billet annulé dans les délais est rendu aux cagnottes qui l’ont payé : l’application vous montre la somme avant que vous confirmiez. Un paiement refusé n’est pas débité.

L’argent que vous avez rechargé vous est viré sur votre compte bancaire quand vous fermez votre compte. Pour tout autre remboursement, écrivez-nous depuis [Contact](/contact).'),
('recharge-automatique', 94, 'money', null, 'Comment recharger sans y penser ?',
 'automatique automatisme seuil mensuel programmer chaque mois alerte solde bas',
 'Depuis une cagnotte, ouvrez « Alertes et recharge automatique » : une recharge part d’elle-même quand le solde passe sous un seuil, ou à une date de chaque mois, avec la carte bancaire que vous avez gardée et dans la limite que vous fixez.

Vous y réglez aussi l’alerte de solde bas.'),

('carte-perdue', 100, 'card', null, 'J’ai perdu ma carte, ou on me l’a volée. Que faire ?',
 'perte perdue vol volee opposition bloquer faire disparu',
 'Si vous pensez la retrouver, suspendez-la : elle ne dépense plus rien, et vous la réactivez quand vous voulez.

Sinon, mettez-la en opposition sur [Ma carte](/dashboard), « Gérer la carte ». C’est définitif : la carte ne servira plus et une nouvelle, avec un nouveau numéro, est demandée aussitôt. L’argent de vos cagnottes reste à vous.'),
('suspendre-ma-carte', 110, 'card', null, 'Comment suspendre ma carte, puis la réactiver ?',
 'suspension pause bloquer debloquer reactiver provisoire',
 'Sur [Ma carte](/dashboard), ouvrez « Gérer la carte » puis « Suspendre la carte ». La carte ne dépense plus et n’envoie plus d’argent, mais peut encore en recevoir. « Réactiver la carte » la remet en service.'),
('activer-ma-carte', 120, 'card', null, 'Comment activer ma nouvelle carte ?',
 'activation recue courrier nouvelle neuve',
 'Quand la carte arrive, [Ma carte](/dashboard) vous propose de l’activer. Suivez les indications : elle sert dès la confirmation.'),
('presenter-le-qr-code', 130, 'card', null, 'Comment présenter ma carte avec le téléphone ?',
 'qr code telephone scanner presenter controle caisse mobile',
 'Sur [Ma carte](/dashboard), ouvrez le QR code de la carte et présentez-le. Il change toutes les minutes pour qu’une photo ne puisse pas servir à quelqu’un d’autre. Une carte suspendue ou en opposition ne permet pas de payer.'),
('carte-expiree', 140, 'card', null, 'Que se passe-t-il quand ma carte expire ?',
 'expiration validite renouvellement date fin remplacer remplacement',
 'La carte sert jusqu’au soir de sa date de fin, puis son remplacement est demandé automatiquement. L’argent de vos cagnottes n’est pas touché.'),

('acheter-un-titre-de-bus', 141, 'services', 1, 'Comment acheter un titre de bus ?',
 'titre transport ligne scolaire mensuel annuel trajet acheter reseau',
 'Ouvrez [Bus](/Abonnement/ligne), puis « Acheter un abonnement » à côté du réseau que vous prenez. Choisissez le titre, la carte qui voyage et la date de début : le prix tient compte de l’âge et des droits de la personne, et dit pourquoi.

Une fois payé, le titre est sur la carte, avec un QR code à montrer à bord.'),
('horaires-de-bus', 142, 'services', 1, 'Où voir les horaires des bus ?',
 'arret ligne prochain depart attendre quand',
 'Dans [Bus](/Abonnement/ligne), cherchez un arrêt ou une ligne. L’arrêt montre les prochains départs de chaque ligne et les horaires de la journée.

Ce sont les horaires théoriques donnés par le réseau : un bus peut avoir du retard.'),
('titre-de-bus-perdu', 143, 'services', 1, 'J’ai perdu mon titre de bus, ou je veux le suspendre',
 'duplicata qr suspension refaire vole',
 'Ouvrez le titre dans [Bus](/Abonnement/ligne). « Demander un duplicata » fait un nouveau QR code et rend l’ancien sans valeur. « Suspendre » met le titre en pause, quand le produit le permet.'),
('acheter-un-billet', 144, 'services', 1, 'Comment acheter un billet de spectacle ou de sport ?',
 'e-billet evenement concert cinema match theatre panier reserver seance spectacle',
 'Ouvrez [E-billets](/services/E-Billet), choisissez l’événement et la séance, puis les personnes de votre famille : chacune a son prix. Les places sont gardées {cartMinutes} minutes, le temps de payer.

Les billets sont ensuite dans « Mes billets », aussi sans réseau, et vous les recevez par e-mail.'),
('annuler-un-billet', 145, 'services', 1, 'Puis-je annuler un billet ?',
 'remboursement echanger delai empeche evenement annule',
 'Oui, selon les règles de l’événement, affichées avant l’achat et gardées telles quelles. Ouvrez le billet dans « Mes billets » et choisissez « Annuler » : la somme rendue est montrée avant que vous confirmiez.

Si l’organisateur annule, le prix entier vous est rendu sans rien faire.'),
('donner-un-billet', 146, 'services', 1, 'Comment donner un billet à quelqu’un ?',
 'transferer offrir ami ceder autre personne',
 'Ouvrez le billet dans « Mes billets », choisissez « Transférer » et indiquez le numéro de carte de la personne. Dès qu’elle accepte, elle reçoit un nouveau billet et votre ancien QR code ne vaut plus rien.'),
('abonnement-a-la-carte', 147, 'services', 1, 'Comment prendre ou renouveler mon abonnement ?',
 'souscrire formule renouvellement piece justificatif photo annee',
 'Ouvrez [Abonnement](/servivces/abonnement) : choisissez la formule, la personne, puis les pièces demandées. Vous pouvez vous arrêter et reprendre plus tard au même point. Le prix est expliqué avant le paiement, et un reçu vous attend à la fin.

Nous vous prévenons avant la fin de l’abonnement pour le renouveler.'),
('ou-ma-carte-sert', 148, 'services', 1, 'Où ma carte est-elle acceptée ?',
 'partenaire annuaire piscine librairie avantage reduction utiliser pres de moi lieu',
 'Ouvrez [Où ma carte est acceptée](/services/partner), dans [Services](/services). Cherchez un nom ou un genre de lieu, ou laissez-vous guider « Autour de moi ». La fiche d’un partenaire dit ce que la carte y donne, ses horaires et quelles cagnottes il accepte.'),

('mot-de-passe-oublie', 150, 'sign_in', null, 'J’ai oublié mon mot de passe',
 'perdu connexion reinitialiser changer identifiant acces password',
 'Sur la page de connexion, choisissez « Mot de passe oublié ? » et saisissez votre numéro de carte. Un code vous est envoyé par SMS ou par e-mail ; il sert à choisir un nouveau mot de passe, et vous êtes ensuite connecté.

Le code dure {codeMinutes} minutes. Si vous n’avez plus accès ni au téléphone ni à l’e-mail, un de vos codes de secours le remplace.'),
('code-non-recu', 160, 'sign_in', null, 'Je ne reçois pas le code',
 'sms email courriel code recu spam indesirables telephone',
 'Attendez une minute et regardez les courriers indésirables. Vérifiez que l’adresse ou le numéro, montré en partie, est bien le vôtre, puis demandez un nouveau code : seul le dernier est valable.

Après {codeSends} envois, il faut attendre {codeWaitMinutes} minutes.'),
('changer-mot-de-passe', 170, 'sign_in', null, 'Comment changer mon mot de passe ?',
 'modifier securite password nouveau',
 'Dans [Profil](/profil), choisissez de changer le mot de passe. Il faut au moins {passwordLength} caractères : une phrase que vous retenez est plus sûre qu’un mot compliqué.'),
('cles-d-acces', 180, 'sign_in', null, 'Qu’est-ce qu’une clé d’accès ?',
 'passkey empreinte visage biometrie cle connexion sans mot de passe',
 'Une clé d’accès remplace le mot de passe : vous vous connectez avec le déverrouillage de votre téléphone ou de votre ordinateur (empreinte, visage ou code). Rien de cela ne nous est envoyé.

Ajoutez-en une depuis [Profil](/profil). Le mot de passe reste possible.'),
('codes-de-secours', 190, 'sign_in', null, 'À quoi servent les codes de secours ?',
 'secours recuperation imprimer papier telephone perdu',
 'Ils vous permettent de choisir un nouveau mot de passe quand ni le téléphone ni l’e-mail ne sont accessibles. Créez-les dans [Profil](/profil), imprimez-les ou notez-les, et gardez-les à l’abri. Chaque code sert une seule fois.'),
('connexion-inconnue', 200, 'sign_in', null, 'Une connexion que je ne reconnais pas m’est signalée',
 'alerte pirate securite piratage appareil session inconnu intrusion',
 'Ouvrez le lien « Ce n’était pas moi » du message : les sessions sont fermées et un nouveau mot de passe est demandé.

[Profil](/profil) montre aussi les appareils connectés : vous pouvez y fermer une session à tout moment.'),
('session-terminee', 210, 'sign_in', null, 'Pourquoi dois-je me reconnecter ?',
 'deconnexion session expire deconnecte temps fin',
 'Pour votre sécurité, une session se ferme d’elle-même après une absence, et au plus tard au bout de {sessionHours} heures. Le portail vous prévient avant la fin.'),

('ajouter-un-proche', 220, 'family', 1, 'Comment ajouter quelqu’un à ma famille ?',
 'invitation inviter membre enfant conjoint proche responsable parent',
 'Dans [Famille](/family), choisissez « Ajouter un membre » et indiquez le numéro de sa carte. La personne, ou son responsable, reçoit l’invitation et l’accepte avec un code. L’invitation attend {invitationDays} jours.

Une personne sans téléphone, sans e-mail et sans responsable rejoint la famille avec le code imprimé remis avec sa carte.'),
('deux-responsables', 230, 'family', 1, 'Un enfant peut-il avoir deux responsables ?',
 'parents separes garde divorce responsable second coparent',
 'Oui. Chaque responsable se connecte avec sa propre carte. Chacun voit la carte de l’enfant, mais pas les cagnottes de l’autre responsable. Le dernier responsable ne peut pas se retirer seul.'),
('plafonds-enfant', 240, 'family', 1, 'Comment limiter les dépenses d’un enfant ?',
 'plafond limite jour semaine lieux enfant depense restreindre controle parental plafonds',
 'Dans [Famille](/family), ouvrez la fiche de l’enfant. Vous pouvez fixer un plafond par jour, par semaine, et choisir où la carte paie. L’enfant et les autres responsables sont prévenus du changement.'),
('agir-pour-un-enfant', 250, 'family', 1, 'Comment agir pour la carte de mon enfant ?',
 'agir place enfant changer de carte basculer gerer',
 'Ouvrez la fiche de l’enfant dans [Famille](/family) et choisissez « Agir pour cette carte ». Chaque page rappelle alors pour qui vous agissez, avec un bouton pour revenir à votre carte. Votre profil reste le vôtre.'),
('envoyer-un-justificatif', 255, 'family', 1, 'Comment envoyer un justificatif ?',
 'quotient familial caf etudiant preuve document tarif reduit droit piece perime',
 'Ouvrez [Droits et justificatifs](/family/droits) : choisissez le droit, la personne, puis photographiez ou joignez le document. Nous le vérifions, et vous êtes prévenu de la réponse.

Un justificatif a une date de fin : nous vous rappelons de le renouveler.'),
('semaines-de-garde', 257, 'family', 1, 'Comment indiquer chez quel parent est mon enfant ?',
 'garde alternee calendrier semaine parents separes coparent',
 'Ouvrez la fiche de l’enfant dans [Famille](/family), puis « Garde ». Proposez un rythme à l’autre responsable : il vaut dès qu’il accepte, et vous pouvez tous deux le voir jour par jour.'),

('changer-telephone-email', 260, 'portal', null, 'Comment changer mon téléphone ou mon adresse e-mail ?',
 'modifier coordonnees numero mail courriel contact profil telephone',
 'Dans [Profil](/profil), modifiez le téléphone ou l’adresse e-mail. Un code vous est envoyé pour vérifier que le nouveau contact est bien le vôtre.'),
('hors-connexion', 270, 'portal', null, 'Que puis-je faire sans connexion à internet ?',
 'hors ligne reseau internet coupure connexion perdue deconnecte',
 'Sans réseau, aucune opération ne part : rien n’est perdu ni fait deux fois. Quand la connexion revient, appuyez sur « rafraîchir ».'),
('notifications', 280, 'portal', null, 'Où sont mes notifications ?',
 'cloche messages alertes avertissement prevenir',
 'Appuyez sur la cloche en haut de la page. Le nombre montre ce que vous n’avez pas encore lu. Les nouvelles arrivent sans recharger la page. Ce que vous faites vous-même y est déjà lu.

[Notifications](/profil/notifications), dans votre profil, règle ce qui vous est aussi envoyé par e-mail ou par SMS.'),
('le-portail-ne-marche-pas', 282, 'portal', null, 'Le portail ne fonctionne pas bien sur mon appareil',
 'panne bug lent bloque erreur appareil navigateur diagnostic',
 '[Diagnostic](/test/bien) teste ce qui relie cet appareil au portail et dit quoi faire. Vous pouvez copier le rapport et nous l’envoyer depuis [Contact](/contact).'),
('ecrire-au-service', 285, 'portal', null, 'Comment joindre le service clients ?',
 'contact ecrire appeler reclamation humain conseiller aide probleme question',
 'Ouvrez [Contact](/contact), choisissez le sujet et écrivez votre message ; vous pouvez joindre des photos. La réponse arrive au même endroit et vous en êtes prévenu.'),
('fermer-mon-compte', 290, 'portal', null, 'Comment fermer mon compte ?',
 'suppression desinscription rgpd donnees quitter partir rib iban',
 'Ouvrez [Mes données](/profil/donnees), puis « Fermer le compte ». Le compte se ferme {closureDays} jours plus tard : jusque-là, vous pouvez changer d’avis.

L’argent que vous avez rechargé est viré sur le compte bancaire que vous indiquez. Vous pouvez d’abord demander une copie de vos données.'),

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
 '[Cantine](/pro/cantine) réunit, selon vos rôles, les menus, à saisir, copier ou importer, les quantités à cuisiner, les inscriptions, les absences, les messages, les règles, les fermetures et le relevé.

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
 'equipe role responsable comptable caisse droit acces collegue guichet cuisine cuisinier serveur',
 'Dans [Mon entreprise](/professional/entreprise), « Équipe » : un responsable donne à qui porte une carte de l’entreprise un ou plusieurs rôles, et les retire : comptable, caisse, guichet et cuisine de la cantine, ou responsable, qui décide de tout. Chaque personne ne voit que ce que ses rôles ouvrent.'),
('partenariats', 428, 'professional', 2, 'Comment faire un partenariat avec une autre entreprise ?',
 'partenariat partenaire remise inviter conditions entreprise',
 'Dans [Partenaires](/professional/partenaire), invitez une entreprise par son SIRET ou le numéro d’une de ses cartes pro, avec les remises que vous proposez. Elles valent une fois que l’autre entreprise a accepté, et chacune peut y mettre fin.'),
('fiche-de-l-annuaire', 429, 'professional', 2, 'Comment modifier ma fiche dans l’annuaire ?',
 'fiche annuaire horaires adresse categorie avantage repertoire fermeture presentation',
 'Un responsable écrit la fiche dans [Catégories](/professional/category) : textes, téléphone, horaires, fermetures et avantages, lus aussitôt par les porteurs. Un autre nom ou une autre adresse attend l’accord du réseau.

[Répertoire](/professional/repertory) et [Où ma carte est acceptée](/services/partner) montrent l’annuaire comme les porteurs le voient.');
