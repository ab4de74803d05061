-- Where a card works and what each place gives; the services of the portal; the transport services on
-- which a card is enrolled by itself.

create text search configuration directory (copy = french);
alter text search configuration directory
  alter mapping for hword, hword_part, word with unaccent, french_stem;

-- Two levels: what a person looks for, then more precisely.
create table partner_category (
  id text primary key constraint partner_category_id check (id ~ '^[a-z0-9-]{1,40}$'),
  parent_id text references partner_category (id),
  name text not null,
  -- Order on the screen, among those of one parent.
  place integer not null
);
create index partner_category_of on partner_category (parent_id);

create table partner (
  id uuid primary key default gen_random_uuid(),
  -- How the operator names it: the same reference in a new import is the same partner.
  reference text not null unique
    constraint partner_reference check (reference ~ '^[a-z0-9-]{1,60}$'),
  -- The professional account, once there is one.
  person_id bigint references person (id),
  name text not null,
  category_id text not null references partner_category (id),
  summary text not null,
  description text not null,
  -- Other words by which people look for it.
  keywords text not null,
  street text not null,
  postcode text not null constraint partner_postcode check (postcode ~ '^\d{5}$'),
  town text not null,
  lat double precision not null constraint partner_lat check (lat between -90 and 90),
  lon double precision not null constraint partner_lon check (lon between -180 and 180),
  phone text,
  email text,
  website text,
  -- Why it is not shown for now; null when it is.
  hidden_why text,
  -- Both written by partner_words: unaccent is not immutable.
  search tsvector not null default '',
  letters text not null default ''
);
create index partner_of_category on partner (category_id) where hidden_why is null;
create index partner_of_person on partner (person_id) where person_id is not null;

-- Opening hours in the time of Paris; a day without a line is a day off.
create table partner_hours (
  partner_id uuid not null references partner (id) on delete cascade,
  weekday smallint not null constraint partner_hours_weekday check (weekday between 1 and 7),
  opens time not null,
  -- 24:00 for midnight: what goes on after midnight is a line of the next day.
  closes time not null,
  primary key (partner_id, weekday, opens),
  constraint partner_hours_order check (opens < closes)
);

create table partner_closure (
  partner_id uuid not null references partner (id) on delete cascade,
  from_on date not null,
  to_on date not null,
  reason text not null,
  primary key (partner_id, from_on),
  constraint partner_closure_order check (from_on <= to_on)
);

create table partner_group (
  partner_id uuid not null references partner (id) on delete cascade,
  group_id integer not null references acceptance_group (id),
  primary key (partner_id, group_id)
);
create index partner_group_of on partner_group (group_id);

create table partner_offer (
  partner_id uuid not null references partner (id) on delete cascade,
  place smallint not null,
  kind text not null constraint partner_offer_kind check (kind in ('discount', 'points', 'extra')),
  title text not null,
  detail text,
  from_on date,
  to_on date,
  primary key (partner_id, place),
  constraint partner_offer_order check (from_on <= to_on)
);

-- What a partner is found by; run after anything of it has changed.
create function partner_words(changed uuid) returns void language sql as $$
  update partner p set
    search = setweight(to_tsvector('directory', p.name || ' ' || p.town || ' ' || p.postcode), 'A')
      || setweight(to_tsvector('directory', w.kinds || ' ' || p.keywords), 'B')
      || setweight(to_tsvector('directory', p.summary || ' ' || w.offers || ' ' || p.street), 'C')
      || setweight(to_tsvector('directory', p.description), 'D'),
    letters = lower(unaccent(p.name || ' ' || p.town || ' ' || w.kinds || ' ' || p.keywords))
  from (select
      (select string_agg(c.name, ' ') from partner_category c, partner q
        left join partner_category own on own.id = q.category_id
        where q.id = changed and c.id in (own.id, own.parent_id)) as kinds,
      coalesce((select string_agg(title, ' ') from partner_offer
        where partner_id = changed), '') as offers) w
  where p.id = changed
$$;

-- The distance along the ground between two places, in metres.
create function metres_between(lat_a float8, lon_a float8, lat_b float8, lon_b float8)
  returns float8 language sql immutable parallel safe as $$
  select 2 * 6371008.8 * asin(least(1, sqrt(
    sin(radians(lat_b - lat_a) / 2) ^ 2
    + cos(radians(lat_a)) * cos(radians(lat_b)) * sin(radians(lon_b - lon_a) / 2) ^ 2)))
$$;

insert into partner_category (id, parent_id, name, place) values
('manger', null, 'Manger', 1),
('courses', null, 'Faire ses courses', 2),
('culture', null, 'Culture et loisirs', 3),
('sport', null, 'Sport et mer', 4),
('bouger', null, 'Se déplacer', 5),
('quotidien', null, 'Vie quotidienne', 6),
('enfance', null, 'Enfance et école', 7);
insert into partner_category (id, parent_id, name, place) values
('restaurant', 'manger', 'Restaurants et cafés', 1),
('boulangerie', 'manger', 'Boulangeries', 2),
('restauration-collective', 'manger', 'Restaurants scolaires et d’entreprise', 3),
('alimentation', 'courses', 'Alimentation', 1),
('produits-de-la-mer', 'courses', 'Produits de la mer', 2),
('librairie', 'culture', 'Librairies et presse', 1),
('cinema', 'culture', 'Cinémas et théâtres', 2),
('musee', 'culture', 'Musées et expositions', 3),
('musique', 'culture', 'Musique et ateliers', 4),
('piscine', 'sport', 'Piscines et salles', 1),
('nautisme', 'sport', 'Voile et nautisme', 2),
('bus', 'bouger', 'Bus et navettes', 1),
('velo', 'bouger', 'Vélos', 2),
('stationnement', 'bouger', 'Stationnement', 3),
('sante', 'quotidien', 'Santé et optique', 1),
('maison', 'quotidien', 'Maison et réparation', 2),
('mode', 'quotidien', 'Vêtements et coiffure', 3),
('accueil', 'enfance', 'Accueil et centres de loisirs', 1),
('fournitures', 'enfance', 'Jouets et fournitures', 2);

-- The services of the portal: what each is for, and the screen where it is used.
create table service (
  code text primary key constraint service_code check (code ~ '^[a-z0-9-]{2,40}$'),
  place integer not null unique,
  -- 1 or 2 when it is for one kind of account only.
  audience smallint constraint service_audience check (audience in (1, 2)),
  screen text not null constraint service_screen
    check (screen in ('wallets', 'subscription', 'transit', 'tickets', 'directory', 'transport')),
  name text not null,
  summary text not null,
  description text not null,
  conditions text[] not null,
  -- Why it is closed for now, in the operator's words; null while it is open.
  closed_why text
);

insert into service (code, place, audience, screen, name, summary, description, conditions) values
('porte-monnaie', 10, 1, 'wallets', 'Cagnottes',
 'Votre argent prépayé : soldes, aides reçues et recharges.',
 'Une cagnotte est l’argent de votre carte. La principale paie partout où la carte est acceptée ; les autres paient là où leur groupe l’est, avant la principale.

Vous rechargez par carte bancaire, vous suivez chaque opération et vous voyez quand une aide prend fin.',
 array['Une recharge va de 5 € à 500 €, sauf réglage différent affiché au moment de recharger.',
  'Une aide est dépensée avant l’argent rechargé et se perd à sa date de fin.']),
('carte-annuelle', 20, 1, 'subscription', 'Abonnement de la carte',
 'La formule annuelle de votre carte, à prendre ou à renouveler.',
 'L’abonnement donne à votre carte ses avantages pour un an : vous choisissez la formule, joignez les justificatifs demandés et voyez le prix expliqué avant de payer.

Le brouillon est gardé : vous pouvez vous arrêter et reprendre plus tard, sur un autre appareil.',
 array['Certains tarifs demandent un justificatif en cours de validité.',
  'L’abonnement peut être payé avec une cagnotte ou par carte bancaire.']),
('lignes-de-bus', 30, 1, 'transit', 'Bus',
 'Lignes, horaires et abonnements du réseau.',
 'Trouvez votre ligne, vos arrêts et les prochains passages, puis achetez le titre qui vous convient : à l’unité, au mois, à l’année ou scolaire.

Le prix tient compte de votre âge et de votre quotient familial quand ils sont connus, et dit pourquoi.',
 array['Un titre est nominatif : il est valable avec la carte pour laquelle il est acheté.',
  'Présentez le QR code du titre à la montée.']),
('billetterie', 40, 1, 'tickets', 'E-billets',
 'Spectacles, piscine, sorties : vos places sur votre carte.',
 'Choisissez une date et vos places : elles vous sont gardées 25 minutes, le temps de payer. Vos billets restent dans le portail, à montrer à l’entrée ou à enregistrer.

Un billet peut être envoyé à une autre carte, qui l’accepte.',
 array['L’annulation suit les règles affichées au moment de l’achat.',
  'Un billet ne sert qu’une fois.']),
('annuaire', 50, null, 'directory', 'Où ma carte est acceptée',
 'Commerces, lieux et services qui acceptent la carte, près de vous.',
 'L’annuaire réunit les partenaires de la carte : adresse, horaires, cagnottes acceptées et avantages. Cherchez un nom ou une envie, même mal orthographiés, ou partez de l’endroit où vous êtes.',
 array['Votre position sert seulement à trier la liste : elle n’est pas conservée.',
  'Les horaires sont ceux que les partenaires nous donnent.']),
('transport-entreprise', 60, 2, 'transport', 'Transport des salariés',
 'Les offres du réseau pour les trajets domicile-travail.',
 'Le réseau propose aux employeurs des offres de transport pour leurs salariés, sans dossier à monter : votre carte professionnelle y est rattachée automatiquement.

Chaque offre dit ce que vous prenez en charge, ce qui reste au salarié et à quelles conditions.',
 array['L’employeur prend en charge au moins la moitié d’un abonnement de transport public.',
  'La prise en charge s’arrête le mois où le salarié quitte l’entreprise.']);

-- What a card is enrolled on by itself (spec §7 autoAdhesion).
create table transport_service (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique
    constraint transport_service_reference check (reference ~ '^[a-z0-9-]{1,60}$'),
  audience smallint not null constraint transport_service_audience check (audience in (1, 2)),
  name text not null,
  network text not null,
  summary text not null,
  conditions text[] not null,
  -- For one person and month, before anyone's share.
  monthly_cents integer not null constraint transport_service_price
    check (monthly_cents between 0 and 100000),
  -- What an employer pays of it.
  employer_percent smallint constraint transport_service_share
    check (employer_percent between 0 and 100),
  -- Only for cards whose yearly subscription runs.
  subscribed_only boolean not null default false,
  phone text,
  email text,
  hidden_why text,
  constraint transport_service_employer check ((audience = 2) = (employer_percent is not null))
);
