-- Subscriptions of cards: the offer and its versions, files (drafts, paid, running, over), their papers.

-- A change of price or of conditions is a new version; what was bought keeps its own.
create table subscription_formula (
  code text not null,
  version integer not null,
  name text not null,
  summary text not null,
  opens text[] not null,
  place integer not null,
  year_cents bigint not null constraint subscription_formula_price check (year_cents >= 0),
  -- `year` runs twelve months; `school` ends on the next 31 August, its price by months left.
  term text not null constraint subscription_formula_term check (term in ('year', 'school')),
  min_age integer,
  max_age integer,
  student boolean not null default false,
  max_quotient integer,
  covers_children boolean not null default false,
  documents text[] not null default '{}',
  -- [{"kind": "quotient", "upTo": 700, "percent": 50}, {"kind": "age", "from": 65, "percent": 30}]
  discounts jsonb not null default '[]',
  since timestamptz not null default now(),
  retired_at timestamptz,
  primary key (code, version)
);
create unique index subscription_formula_sold on subscription_formula (code) where retired_at is null;

create table subscription_option (
  code text primary key,
  name text not null,
  summary text not null,
  place integer not null,
  price_cents bigint not null constraint subscription_option_price check (price_cents > 0)
);

insert into subscription_formula (code, version, name, summary, opens, place, year_cents, term,
    min_age, max_age, student, max_quotient, covers_children, documents, discounts) values
  ('essentiel', 1, 'Essentiel', 'Une carte, tous les services du réseau.',
    array['Paiement chez tous les partenaires', 'Cantine, bus et billets sur une seule carte',
      'Service clients par téléphone'],
    1, 2400, 'year', null, null, false, null, false, '{}',
    '[{"kind":"quotient","upTo":700,"percent":50},{"kind":"quotient","upTo":1200,"percent":25},{"kind":"age","under":18,"percent":50},{"kind":"age","from":65,"percent":30}]'),
  ('famille', 1, 'Famille', 'Votre carte et celles de vos enfants, en une fois.',
    array['Tout ce que donne Essentiel', 'Les cartes de vos enfants comprises',
      'Une seule échéance pour toute la famille'],
    2, 4500, 'year', 18, null, false, null, true, '{}',
    '[{"kind":"quotient","upTo":700,"percent":50},{"kind":"quotient","upTo":1200,"percent":25}]'),
  ('etudiant', 1, 'Étudiant', 'L’année scolaire, de septembre à août.',
    array['Tout ce que donne Essentiel', 'Un prix selon les mois qui restent',
      'Fin avec l’année scolaire, le 31 août'],
    3, 1800, 'school', 11, 28, true, null, false, array['photo'],
    '[{"kind":"quotient","upTo":700,"percent":50}]'),
  ('solidaire', 1, 'Solidaire', 'Pour les foyers au quotient familial de 500 ou moins.',
    array['Tout ce que donne Essentiel', 'Le même prix à tout âge'],
    4, 600, 'year', null, null, false, 500, false, '{}', '[]');
insert into subscription_option (code, name, summary, place, price_cents) values
  ('sms', 'Rappels par SMS', 'Les échéances de l’abonnement aussi par SMS.', 1, 300);

create table subscription (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  person_id bigint not null references person (id),
  -- Who filled it in last: the holder or a guardian.
  buyer_id bigint not null references person (id),
  state text not null constraint subscription_state check
    (state in ('draft', 'review', 'active', 'expired', 'refused', 'cancelled', 'abandoned')),
  step text not null default 'holder' constraint subscription_step check
    (step in ('holder', 'options', 'price')),
  formula text not null,
  formula_version integer not null,
  options text[] not null default '{}',
  -- Grows with every change: what was read is what is paid, or it is read again.
  revision integer not null default 1,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- What was bought.
  wallet_id bigint references wallet (id),
  lines jsonb,
  paid_cents bigint,
  paid_at timestamptz,
  starts_on date,
  ends_on date,
  reason text,
  ended_at timestamptz,
  -- The nearest reminder already sent, in days before the end.
  reminded_days integer,
  foreign key (formula, formula_version) references subscription_formula (code, version),
  constraint subscription_bought check (state in ('draft', 'abandoned') or
    (lines is not null and paid_cents is not null and paid_at is not null
      and starts_on is not null and ends_on is not null)),
  constraint subscription_span check (ends_on >= starts_on)
);
-- One file at a time for a card: being filled in, or waiting for its answer.
create unique index subscription_open on subscription (person_id)
  where state in ('draft', 'review');
create index subscription_of_person on subscription (person_id, created_at desc);
create index subscription_running on subscription (ends_on) where state = 'active';

-- Whom a paid subscription covers: the holder, and the children of a family one.
create table subscription_cover (
  subscription_id uuid not null references subscription (id),
  person_id bigint not null references person (id),
  primary key (subscription_id, person_id)
);
create index subscription_cover_of on subscription_cover (person_id);

-- A paper given for a subscription; the file itself lives with the documents.
create table subscription_proof (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references subscription (id) on delete cascade,
  kind text not null constraint subscription_proof_kind check
    (kind in ('photo', 'identity', 'schooling', 'quotient')),
  document_id uuid not null,
  sent_at timestamptz not null,
  unique (subscription_id, kind)
);
