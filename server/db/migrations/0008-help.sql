-- Help: questions and answers, searched in French without accents and by likeness of letters.

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
    check (category in ('money', 'card', 'sign_in', 'family', 'portal')),
  -- 1 or 2 when the answer is for one kind of account only.
  audience smallint constraint faq_article_audience check (audience in (1, 2)),
  question text not null,
  -- Other words by which people look for it, without accents.
  keywords text not null,
  body text not null,
  summary text not null generated always as (split_part(body, E'\n\n', 1)) stored,
  -- Both written by faq_article_words: unaccent is not immutable.
  search tsvector not null,
  letters text not null
);

create function faq_article_words() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector('faq', new.question), 'A')
    || setweight(to_tsvector('faq', new.keywords), 'B')
    || setweight(to_tsvector('faq', new.body), 'D');
  new.letters := lower(unaccent(new.question || ' ' || new.keywords));
  return new;
end $$;
create trigger faq_article_words before insert or update on faq_article
  for each row execute function faq_article_words();

create table faq_vote (
  article_id text not null references faq_article (id) on delete cascade,
  person_id bigint not null references person (id),
  useful boolean not null,
  at timestamptz not null,
  primary key (article_id, person_id)
);
create index faq_vote_of_person on faq_vote (person_id);

insert into faq_article (id, place, category, audience, question, keywords, body) values
('recharger-une-cagnotte', 10, 'money', null, 'Comment recharger une cagnotte ?',
 'recharge ajouter argent payer carte bancaire crediter approvisionner solde',
 'Depuis l’accueil ou la page Cagnottes, appuyez sur « Recharger », choisissez le montant, vérifiez, puis payez sur la page sécurisée du service de paiement.

L’argent est ajouté dès que le paiement est confirmé. Vous pouvez quitter la page : l’opération se termine sans vous et une notification vous le dit.'),
('montants-de-recharge', 20, 'money', null, 'Quel montant puis-je recharger ?',
 'minimum maximum plafond limite recharge combien euros',
 'Une recharge va de 5 € à 500 €, et une cagnotte contient au plus 1 000 €. L’exploitant du service peut régler ces montants : ceux qui valent pour vous sont affichés au moment de recharger.

Pour les grosses recharges, nous vous demandons un code envoyé par SMS ou par e-mail.'),
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
('releve-de-compte', 60, 'money', null, 'Comment télécharger mes opérations ?',
 'releve export csv pdf tableur historique mouvements compte imprimer',
 'Ouvrez « Opérations » depuis la cagnotte. Filtrez par dates ou par genre si vous le souhaitez, puis téléchargez le relevé en PDF ou les lignes en CSV pour un tableur.'),
('faire-un-virement', 70, 'money', null, 'Comment envoyer de l’argent à une autre carte ?',
 'virement transfert transferer envoyer donner enfant proche',
 'Depuis l’accueil, choisissez « Envoyer », la cagnotte de départ, la carte qui reçoit et le montant. Vérifiez, puis confirmez : l’argent arrive aussitôt.

L’argent s’envoie aux cartes de votre famille. À partir de 50 €, un code vous est demandé. Seul l’argent rechargé peut être envoyé : une aide reste à la personne qui l’a reçue.'),
('aides-et-argent-recharge', 80, 'money', null, 'Quelle différence entre une aide et l’argent rechargé ?',
 'aide subvention mairie expiration date lot bonus points',
 'Une aide vous est donnée pour un usage et peut avoir une date de fin. Elle est dépensée en premier, pour que vous ne la perdiez pas. L’argent que vous rechargez reste à vous et s’utilise ensuite.

Le détail est affiché dans chaque cagnotte.'),
('cagnotte-bloquee', 90, 'money', null, 'Pourquoi ma cagnotte est-elle bloquée ?',
 'bloque gel litige contestation banque gelee',
 'Une recharge a été contestée auprès de la banque. Pendant le litige, la cagnotte ne paie plus et ne se recharge plus.

Si la contestation est une erreur, annulez-la auprès de votre banque.'),
('carte-perdue', 100, 'card', null, 'J’ai perdu ma carte, ou on me l’a volée. Que faire ?',
 'perte perdue vol volee opposition bloquer faire disparu',
 'Si vous pensez la retrouver, suspendez-la : elle ne dépense plus rien, et vous la réactivez quand vous voulez.

Sinon, mettez-la en opposition depuis l’accueil, « Gérer la carte ». C’est définitif : la carte ne servira plus et une nouvelle, avec un nouveau numéro, est demandée aussitôt. L’argent de vos cagnottes reste à vous.'),
('suspendre-ma-carte', 110, 'card', null, 'Comment suspendre ma carte, puis la réactiver ?',
 'suspension pause bloquer debloquer reactiver provisoire',
 'Depuis l’accueil, ouvrez « Gérer la carte » puis « Suspendre la carte ». La carte ne dépense plus et n’envoie plus d’argent, mais peut encore en recevoir. « Réactiver la carte » la remet en service.'),
('activer-ma-carte', 120, 'card', null, 'Comment activer ma nouvelle carte ?',
 'activation recue courrier nouvelle neuve',
 'Quand la carte arrive, l’accueil vous propose de l’activer. Suivez les indications : elle sert dès la confirmation.'),
('presenter-le-qr-code', 130, 'card', null, 'Comment présenter ma carte avec le téléphone ?',
 'qr code telephone scanner presenter controle caisse mobile',
 'Sur l’accueil, ouvrez le QR code de la carte et présentez-le. Il change toutes les minutes pour qu’une photo ne puisse pas servir à quelqu’un d’autre. Une carte suspendue ou en opposition ne permet pas de payer.'),
('carte-expiree', 140, 'card', null, 'Que se passe-t-il quand ma carte expire ?',
 'expiration validite renouvellement date fin remplacer remplacement',
 'La carte sert jusqu’au soir de sa date de fin, puis son remplacement est demandé automatiquement. L’argent de vos cagnottes n’est pas touché.'),
('mot-de-passe-oublie', 150, 'sign_in', null, 'J’ai oublié mon mot de passe',
 'perdu connexion reinitialiser changer identifiant acces password',
 'Sur la page de connexion, choisissez « Mot de passe oublié ? » et saisissez votre numéro de carte. Un code vous est envoyé par SMS ou par e-mail ; il sert à choisir un nouveau mot de passe.

Le code dure 10 minutes. Si vous n’avez plus accès ni au téléphone ni à l’e-mail, un de vos codes de secours le remplace.'),
('code-non-recu', 160, 'sign_in', null, 'Je ne reçois pas le code',
 'sms email courriel code recu spam indesirables telephone',
 'Attendez une minute et regardez les courriers indésirables. Vérifiez que l’adresse ou le numéro, montré en partie, est bien le vôtre, puis demandez un nouveau code : seul le dernier est valable.

Après trois envois, il faut attendre un quart d’heure.'),
('changer-mot-de-passe', 170, 'sign_in', null, 'Comment changer mon mot de passe ?',
 'modifier securite password nouveau',
 'Dans Profil, choisissez de changer le mot de passe. Il faut au moins 12 caractères : une phrase que vous retenez est plus sûre qu’un mot compliqué.'),
('cles-d-acces', 180, 'sign_in', null, 'Qu’est-ce qu’une clé d’accès ?',
 'passkey empreinte visage biometrie cle connexion sans mot de passe',
 'Une clé d’accès remplace le mot de passe : vous vous connectez avec le déverrouillage de votre téléphone ou de votre ordinateur (empreinte, visage ou code). Rien de cela ne nous est envoyé.

Ajoutez-en une depuis Profil. Le mot de passe reste possible.'),
('codes-de-secours', 190, 'sign_in', null, 'À quoi servent les codes de secours ?',
 'secours recuperation imprimer papier telephone perdu',
 'Ils vous permettent de choisir un nouveau mot de passe quand ni le téléphone ni l’e-mail ne sont accessibles. Créez-les dans Profil, imprimez-les ou notez-les, et gardez-les à l’abri. Chaque code sert une seule fois.'),
('connexion-inconnue', 200, 'sign_in', null, 'Une connexion que je ne reconnais pas m’est signalée',
 'alerte pirate securite piratage appareil session inconnu intrusion',
 'Ouvrez le lien « Ce n’était pas moi » du message : les sessions sont fermées et un nouveau mot de passe est demandé.

Profil montre aussi les appareils connectés : vous pouvez y fermer une session à tout moment.'),
('session-terminee', 210, 'sign_in', null, 'Pourquoi dois-je me reconnecter ?',
 'deconnexion session expire deconnecte temps fin',
 'Pour votre sécurité, une session se ferme d’elle-même après une absence, et au plus tard au bout de 12 heures. Le portail vous prévient avant la fin.'),
('ajouter-un-proche', 220, 'family', 1, 'Comment ajouter quelqu’un à ma famille ?',
 'invitation inviter membre enfant conjoint proche responsable parent',
 'Dans Famille, choisissez « Ajouter un membre » et indiquez le numéro de sa carte. La personne, ou son responsable, reçoit l’invitation et l’accepte avec un code. L’invitation attend 14 jours.

Une personne sans téléphone, sans e-mail et sans responsable rejoint la famille avec le code imprimé remis avec sa carte.'),
('deux-responsables', 230, 'family', 1, 'Un enfant peut-il avoir deux responsables ?',
 'parents separes garde divorce responsable second coparent',
 'Oui. Chaque responsable se connecte avec sa propre carte. Chacun voit la carte de l’enfant, mais pas les cagnottes de l’autre responsable. Le dernier responsable ne peut pas se retirer seul.'),
('plafonds-enfant', 240, 'family', 1, 'Comment limiter les dépenses d’un enfant ?',
 'plafond limite jour semaine lieux enfant depense restreindre controle parental',
 'Dans Famille, ouvrez la fiche de l’enfant. Vous pouvez fixer un plafond par jour, par semaine, et choisir où la carte paie. L’enfant et les autres responsables sont prévenus du changement.'),
('agir-pour-un-enfant', 250, 'family', 1, 'Comment agir pour la carte de mon enfant ?',
 'agir place enfant changer de carte basculer gerer',
 'Ouvrez la fiche de l’enfant dans Famille et choisissez « Agir pour cette carte ». Chaque page rappelle alors pour qui vous agissez, avec un bouton pour revenir à votre carte. Votre profil reste le vôtre.'),
('changer-telephone-email', 260, 'portal', null, 'Comment changer mon téléphone ou mon adresse e-mail ?',
 'modifier coordonnees numero mail courriel contact profil telephone',
 'Dans Profil, modifiez le téléphone ou l’adresse e-mail. Un code vous est envoyé pour vérifier que le nouveau contact est bien le vôtre.'),
('hors-connexion', 270, 'portal', null, 'Que puis-je faire sans connexion à internet ?',
 'hors ligne reseau internet coupure connexion perdue deconnecte',
 'Sans réseau, aucune opération ne part : rien n’est perdu ni fait deux fois. Quand la connexion revient, appuyez sur « rafraîchir ».'),
('notifications', 280, 'portal', null, 'Où sont mes notifications ?',
 'cloche messages alertes avertissement prevenir',
 'Appuyez sur la cloche en haut de la page. Le nombre montre ce que vous n’avez pas encore lu. Les nouvelles arrivent sans recharger la page.');

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
