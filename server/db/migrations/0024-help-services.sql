-- Help on services, refunds and accounts; words that stand for each other in its search.

alter table faq_article drop constraint faq_article_category;
alter table faq_article add constraint faq_article_category
  check (category in ('money', 'card', 'services', 'sign_in', 'family', 'portal'));

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

create function faq_synonym_forms() returns trigger language plpgsql as $$
begin
  new.forms := faq_forms(new.words);
  return new;
end $$;
create trigger faq_synonym_forms before insert or update on faq_synonym
  for each row execute function faq_synonym_forms();

-- The forms of the question and of the other words: what a typing error is compared with.
alter table faq_article add column own_words text[] not null default '{}';
create or replace function faq_article_words() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector('faq', new.question), 'A')
    || setweight(to_tsvector('faq', new.keywords), 'B')
    || setweight(to_tsvector('faq', new.body), 'D');
  new.letters := lower(unaccent(new.question || ' ' || new.keywords));
  new.own_words := faq_forms(new.question || ' ' || new.keywords);
  return new;
end $$;
update faq_article set question = question;
alter table faq_article alter column own_words drop default;

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
('horaire heure passage');

insert into faq_article (id, place, category, audience, question, keywords, body) values
('rembourser', 92, 'money', null, 'Comment me faire rembourser ?',
 'remboursement argent rendu recuperer iban',
 'Un billet annulé dans les délais est rendu aux cagnottes qui l’ont payé : l’application vous montre la somme avant que vous confirmiez. Un paiement refusé n’est pas débité.

L’argent que vous avez rechargé vous est viré sur votre compte bancaire quand vous fermez votre compte. Pour tout autre remboursement, écrivez-nous depuis Contact.'),
('recharge-automatique', 94, 'money', null, 'Comment recharger sans y penser ?',
 'automatique automatisme seuil mensuel programmer chaque mois alerte solde bas',
 'Depuis une cagnotte, ouvrez « Automatismes » : une recharge part d’elle-même quand le solde passe sous un seuil, ou à une date de chaque mois, avec la carte bancaire que vous avez gardée et dans la limite que vous fixez.

Vous y réglez aussi l’alerte de solde bas.'),
('acheter-un-titre-de-bus', 141, 'services', 1, 'Comment acheter un titre de bus ?',
 'titre transport ligne scolaire mensuel annuel trajet acheter reseau',
 'Ouvrez Bus, puis « Acheter un abonnement » à côté du réseau que vous prenez. Choisissez le titre, la carte qui voyage et la date de début : le prix tient compte de l’âge et des droits de la personne, et dit pourquoi.

Une fois payé, le titre est sur la carte, avec un QR code à montrer à bord.'),
('horaires-de-bus', 142, 'services', 1, 'Où voir les horaires des bus ?',
 'arret ligne prochain depart attendre quand',
 'Dans Bus, cherchez un arrêt ou une ligne. L’arrêt montre les prochains départs de chaque ligne et les horaires de la journée.

Ce sont les horaires théoriques donnés par le réseau : un bus peut avoir du retard.'),
('titre-de-bus-perdu', 143, 'services', 1, 'J’ai perdu mon titre de bus, ou je veux le suspendre',
 'duplicata qr suspension refaire vole',
 'Ouvrez le titre dans Bus. « Duplicata » fait un nouveau QR code et rend l’ancien sans valeur. « Suspendre » met le titre en pause, quand le produit le permet.'),
('acheter-un-billet', 144, 'services', 1, 'Comment acheter un billet de spectacle ou de sport ?',
 'e-billet evenement concert cinema match theatre panier reserver seance spectacle',
 'Ouvrez E-billets, choisissez l’événement et la séance, puis les personnes de votre famille : chacune a son prix. Les places sont gardées 25 minutes, le temps de payer.

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
 'Ouvrez Abonnement : choisissez la formule, la personne, puis les pièces demandées. Vous pouvez vous arrêter et reprendre plus tard au même point. Le prix est expliqué avant le paiement, et un reçu vous attend à la fin.

Nous vous prévenons avant la fin de l’abonnement pour le renouveler.'),
('ou-ma-carte-sert', 148, 'services', 1, 'Où ma carte est-elle acceptée ?',
 'partenaire annuaire piscine librairie avantage reduction utiliser pres de moi lieu',
 'Ouvrez Services, puis Partenaires. Cherchez un nom ou un genre de lieu, ou laissez-vous guider « Autour de moi ». La fiche d’un partenaire dit ce que la carte y donne, ses horaires et quelles cagnottes il accepte.'),
('envoyer-un-justificatif', 255, 'family', 1, 'Comment envoyer un justificatif ?',
 'quotient familial caf etudiant preuve document tarif reduit droit piece perime',
 'Dans Famille, ouvrez « Droits » : choisissez le droit, la personne, puis photographiez ou joignez le document. Nous le vérifions, et vous êtes prévenu de la réponse.

Un justificatif a une date de fin : nous vous rappelons de le renouveler.'),
('semaines-de-garde', 257, 'family', 1, 'Comment indiquer chez quel parent est mon enfant ?',
 'garde alternee calendrier semaine parents separes coparent',
 'Ouvrez la fiche de l’enfant dans Famille, puis « Garde ». Proposez un rythme à l’autre responsable : il vaut dès qu’il accepte, et vous pouvez tous deux le voir jour par jour.'),
('ecrire-au-service', 285, 'portal', null, 'Comment joindre le service clients ?',
 'contact ecrire appeler reclamation humain conseiller aide probleme question',
 'Ouvrez Contact, choisissez le sujet et écrivez votre message ; vous pouvez joindre des photos. La réponse arrive au même endroit et vous en êtes prévenu.'),
('fermer-mon-compte', 290, 'portal', null, 'Comment fermer mon compte ?',
 'suppression desinscription rgpd donnees quitter partir',
 'Dans Profil, ouvrez « Mes données », puis « Fermer le compte ». Le compte se ferme quatorze jours plus tard : jusque-là, vous pouvez changer d’avis.

L’argent que vous avez rechargé est viré sur le compte bancaire que vous indiquez. Vous pouvez d’abord demander une copie de vos données.');
