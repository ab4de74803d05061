-- Where a card works and what each place gives; what partners and the scheme agreed, and partners among themselves;
-- the services of the portal; the transport services on which a card is enrolled by itself.

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
  -- A company may have several sheets or none.
  company_id uuid references company (id),
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
  -- Why the operator stopped it.
  frozen_at timestamptz,
  frozen_why text,
  -- Whether the directory shows it.
  listed boolean not null generated always as (hidden_why is null and frozen_at is null) stored,
  -- Both written by partner_words: unaccent is not immutable.
  search tsvector not null default '',
  letters text not null default '',
  constraint partner_frozen_why check ((frozen_at is null) = (frozen_why is null))
);
create index partner_of_category on partner (category_id) where listed;
create index partner_company on partner (company_id);

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

-- Whether a company sells nothing for now: a sheet of it is frozen.
create function company_frozen(company uuid) returns boolean
  language sql stable parallel safe
  as $$ select exists (
    select from partner p where p.company_id = company and p.frozen_at is not null) $$;

-- The name or the address that an owner asks for a sheet: holders read it once the operator has approved it.
create table partner_identity_request (
  number bigint generated always as identity primary key,
  partner_id uuid not null references partner (id),
  requested_by bigint not null references person (id),
  requested_at timestamptz not null,
  name text not null,
  street text not null,
  postcode text not null constraint partner_identity_postcode check (postcode ~ '^\d{5}$'),
  town text not null,
  state text not null default 'waiting' constraint partner_identity_state
    check (state in ('waiting', 'approved', 'refused', 'withdrawn')),
  -- Why it was refused.
  why text,
  answered_at timestamptz,
  constraint partner_identity_answered check ((state = 'waiting') = (answered_at is null)
    and (state = 'refused') = (why is not null))
);
create unique index partner_identity_waiting on partner_identity_request (partner_id)
  where state = 'waiting';
create index partner_identity_of on partner_identity_request (partner_id, number desc);
create index partner_identity_by on partner_identity_request (requested_by);

-- What a partner grants and takes, version by version: a sale keeps the discount of its day.
create table partner_terms (
  partner_id uuid not null references partner (id) on delete cascade,
  version integer not null,
  discount_percent smallint not null
    constraint partner_terms_discount check (discount_percent between 0 and 90),
  -- What the scheme keeps of a sale.
  commission_basis_points integer not null
    constraint partner_terms_commission check (commission_basis_points between 0 and 10000),
  -- Points given for each euro paid.
  points_per_euro smallint not null default 0
    constraint partner_terms_points check (points_per_euro between 0 and 20),
  written_by text not null,
  from_at timestamptz not null,
  primary key (partner_id, version)
);

-- Partnerships between two companies: an invitation that the other side accepts, terms version by version,
-- and what they write to each other.
create table partnership (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  inviter_id uuid not null references company (id),
  -- Null where nobody has the number that was typed: the invitation then leads nowhere, and says not so.
  invited_id uuid references company (id),
  siret text constraint partnership_siret check (siret ~ '^\d{14}$'),
  cardnumber bigint,
  state text not null constraint partnership_state_known check (state in
    ('invited', 'active', 'refused', 'withdrawn', 'expired', 'ended')),
  note text,
  invited_by bigint not null references person (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  answered_by bigint references person (id),
  answered_at timestamptz,
  ended_by bigint references person (id),
  ended_at timestamptz,
  ended_by_inviter boolean,
  ended_why text,
  constraint partnership_typed check (num_nonnulls(siret, cardnumber) = 1),
  constraint partnership_other check (invited_id <> inviter_id),
  constraint partnership_answered check (num_nulls(answered_by, answered_at) in (0, 2)
    and (state in ('active', 'refused', 'ended')) = (answered_at is not null)
    and (answered_at is null or invited_id is not null)),
  constraint partnership_ended check (num_nulls(ended_by, ended_at, ended_by_inviter) in (0, 3)
    and (state = 'ended') = (ended_at is not null))
);
-- Between two companies one at a time, whoever invited.
create unique index partnership_known
  on partnership (least(inviter_id, invited_id), greatest(inviter_id, invited_id))
  where state in ('invited', 'active') and invited_id is not null;
create index partnership_inviter on partnership (inviter_id, number desc);
create index partnership_invited on partnership (invited_id, number desc);

-- What the tills of either side take off for the cards of the other.
create table partnership_terms (
  partnership_id uuid not null references partnership (id) on delete cascade,
  version integer not null,
  inviter_percent smallint not null
    constraint partnership_terms_inviter check (inviter_percent between 0 and 90),
  invited_percent smallint not null
    constraint partnership_terms_invited check (invited_percent between 0 and 90),
  note text,
  by_inviter boolean not null,
  proposed_by bigint not null references person (id),
  proposed_at timestamptz not null,
  answered_by bigint references person (id),
  -- In force from then on, until the next version is.
  from_at timestamptz,
  closed text constraint partnership_terms_closed check (closed in ('refused', 'withdrawn')),
  primary key (partnership_id, version),
  constraint partnership_terms_one check (num_nonnulls(from_at, closed) <= 1)
);
create unique index partnership_terms_open on partnership_terms (partnership_id)
  where from_at is null and closed is null;

create table partnership_message (
  id bigint primary key generated always as identity,
  partnership_id uuid not null references partnership (id) on delete cascade,
  by_id bigint not null references person (id),
  from_inviter boolean not null,
  text text not null,
  at timestamptz not null
);
create index partnership_message_of on partnership_message (partnership_id, id desc);

-- What the tills of a company take off, in percent, for whoever carries a card of a partner of it.
create function partnership_percent(seller uuid, bearer bigint, at timestamptz) returns integer
  language sql stable parallel safe
  as $$ select coalesce(max(t.percent), 0)::int
    from pro_card k
    join partnership p on p.state in ('active', 'ended') and p.answered_at <= at
      and (p.ended_at is null or p.ended_at > at)
      and ((p.inviter_id = seller and p.invited_id = k.company_id)
        or (p.invited_id = seller and p.inviter_id = k.company_id))
    cross join lateral (
      select case when p.inviter_id = seller then inviter_percent else invited_percent end as percent
      from partnership_terms where partnership_id = p.id and from_at <= at
      order by version desc limit 1) t
    where k.person_id = bearer $$;

-- The services of the portal: what each is for, and the screen where it is used.
create table service (
  code text primary key constraint service_code check (code ~ '^[a-z0-9-]{2,40}$'),
  place integer not null unique,
  -- 1 or 2 when it is for one kind of account only.
  audience smallint constraint service_audience check (audience in (1, 2)),
  screen text not null constraint service_screen
    check (screen in ('wallets', 'subscription', 'transit', 'tickets', 'directory', 'transport', 'canteen',
      'membership')),
  name text not null,
  summary text not null,
  description text not null,
  conditions text[] not null,
  -- Why it is closed for now, in the operator's words; null while it is open.
  closed_why text,
  -- The documents that a request to join needs; null for a service that nobody joins.
  membership_documents text[] constraint service_membership_documents
    check (membership_documents <@ array['registration', 'identity', 'mandate']),
  constraint service_membership check ((screen = 'membership') = (membership_documents is not null))
);

-- What a card is enrolled on by itself.
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
  -- Of the fares on sale, those that a transport service of employers grants.
  products text[] not null default '{}',
  -- Only for cards whose yearly subscription runs.
  subscribed_only boolean not null default false,
  phone text,
  email text,
  hidden_why text,
  constraint transport_service_employer check ((audience = 2) = (employer_percent is not null))
);

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

insert into service (code, place, audience, screen, name, summary, description, conditions,
    membership_documents) values
('porte-monnaie', 10, 1, 'wallets', 'Cagnottes',
 'Votre argent prépayé : soldes, aides reçues et recharges.',
 'Une cagnotte est l’argent de votre carte. La principale paie partout où la carte est acceptée ; les autres paient là où leur groupe l’est, avant la principale.

Vous rechargez par carte bancaire, vous suivez chaque opération et vous voyez quand une aide prend fin.',
 array['Une recharge va de 5 € à 500 €, sauf réglage différent affiché au moment de recharger.',
   'Une aide est dépensée avant l’argent rechargé et se perd à sa date de fin.'],
 null),
('carte-annuelle', 20, 1, 'subscription', 'Abonnement de la carte',
 'La formule annuelle de votre carte, à prendre ou à renouveler.',
 'L’abonnement donne à votre carte ses avantages pour un an : vous choisissez la formule, joignez les justificatifs demandés et voyez le prix expliqué avant de payer.

Le brouillon est gardé : vous pouvez vous arrêter et reprendre plus tard, sur un autre appareil.',
 array['Certains tarifs demandent un justificatif en cours de validité.',
   'L’abonnement peut être payé avec une cagnotte ou par carte bancaire.'],
 null),
('cantine', 25, 1, 'canteen', 'Cantine',
 'Les menus de la semaine et les repas de vos enfants.',
 'Voyez le menu de chaque jour, commandez un repas ou une année entière, annulez jusqu’à l’heure que la cantine a fixée.

Le prix d’un repas est mis de côté dans la cagnotte et dépensé quand il est servi.',
 array['Un enfant mange à la cantine où son inscription est acceptée.',
   'Chaque repas dit jusqu’à quand il se commande et s’annule.'],
 null),
('lignes-de-bus', 30, 1, 'transit', 'Bus',
 'Lignes, horaires et abonnements du réseau.',
 'Trouvez votre ligne, vos arrêts et les prochains passages, puis achetez le titre qui vous convient : à l’unité, au mois, à l’année ou scolaire.

Le prix tient compte de votre âge et de votre quotient familial quand ils sont connus, et dit pourquoi.',
 array['Un titre est nominatif : il est valable avec la carte pour laquelle il est acheté.',
   'Présentez le QR code du titre à la montée.'],
 null),
('billetterie', 40, 1, 'tickets', 'E-billets',
 'Spectacles, piscine, sorties : vos places sur votre carte.',
 'Choisissez une date et vos places : elles vous sont gardées 25 minutes, le temps de payer. Vos billets restent dans le portail, à montrer à l’entrée ou à enregistrer.

Un billet peut être envoyé à une autre carte, qui l’accepte.',
 array['L’annulation suit les règles affichées au moment de l’achat.',
   'Un billet ne sert qu’une fois.'],
 null),
('annuaire', 50, null, 'directory', 'Où ma carte est acceptée',
 'Commerces, lieux et services qui acceptent la carte, près de vous.',
 'L’annuaire réunit les partenaires de la carte : adresse, horaires, cagnottes acceptées et avantages. Cherchez un nom ou une envie, même mal orthographiés, ou partez de l’endroit où vous êtes.',
 array['Votre position sert seulement à trier la liste : elle n’est pas conservée.',
   'Les horaires sont ceux que les partenaires nous donnent.'],
 null),
('transport-entreprise', 60, 2, 'transport', 'Transport des salariés',
 'Les offres du réseau pour les trajets domicile-travail.',
 'Le réseau propose aux employeurs des offres de transport pour leurs salariés, sans dossier à monter : votre carte professionnelle y est rattachée automatiquement.

Chaque offre dit ce que vous prenez en charge, ce qui reste au salarié et à quelles conditions.',
 array['L’employeur prend en charge au moins la moitié d’un abonnement de transport public.',
   'La prise en charge s’arrête le mois où le salarié quitte l’entreprise.'],
 null),
('devenir-partenaire', 70, null, 'membership', 'Devenir partenaire',
 'Commerçants, associations, prestataires : acceptez la carte dans votre établissement.',
 'En rejoignant le réseau, votre entreprise reçoit un numéro professionnel et sa carte. Vous entrez dans l’annuaire, vous accueillez les porteurs de la carte et vous suivez ce qui vous est dû.

La demande se fait ici, en dix minutes. Elle est gardée à chaque étape : vous pouvez vous arrêter et reprendre plus tard, sur un autre appareil.',
 array['Votre entreprise a un SIRET en activité.',
   'La demande est faite par son représentant légal, ou par une personne qui a son accord.',
   'Votre carte personnelle ne change pas : le numéro professionnel s’y ajoute.'],
 array['registration', 'identity']);
