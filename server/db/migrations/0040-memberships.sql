-- Memberships: a person asks that their company joins a service (spec.md 25).
alter table service drop constraint service_screen;
alter table service add constraint service_screen check (screen in
  ('wallets', 'subscription', 'transit', 'tickets', 'directory', 'transport', 'canteen', 'membership'));
-- The documents that a request to join needs; null for a service that nobody joins.
alter table service add column membership_documents text[]
  constraint service_membership_documents check
    (membership_documents <@ array['registration', 'identity', 'mandate']);
alter table service add constraint service_membership
  check ((screen = 'membership') = (membership_documents is not null));

insert into service (code, place, audience, screen, name, summary, description, conditions,
  membership_documents) values
('devenir-partenaire', 70, null, 'membership', 'Devenir partenaire',
 'Commerçants, associations, prestataires : acceptez la carte dans votre établissement.',
 'En rejoignant le réseau, votre entreprise reçoit un numéro professionnel et sa carte. Vous entrez dans l’annuaire, vous accueillez les porteurs de la carte et vous suivez ce qui vous est dû.

La demande se fait ici, en dix minutes. Elle est gardée à chaque étape : vous pouvez vous arrêter et reprendre plus tard, sur un autre appareil.',
 array['Votre entreprise a un SIRET en activité.',
  'La demande est faite par son représentant légal, ou par une personne qui a son accord.',
  'Votre carte personnelle ne change pas : le numéro professionnel s’y ajoute.'],
 array['registration', 'identity']);

create table membership (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  service text not null references service (code),
  person_id bigint not null references person (id),
  state text not null constraint membership_state check (state in
    ('draft', 'submitted', 'review', 'clarification', 'approved', 'rejected')),
  -- Counts the writes: a screen that read an older one is refused.
  version integer not null default 1,
  siret text not null constraint membership_siret check (siret ~ '^\d{14}$'),
  company_name text not null,
  legal_form text not null,
  street text not null,
  postcode text not null,
  town text not null,
  owes_vat boolean not null,
  category_id text not null references partner_category (id),
  representative text,
  representative_function text,
  email text,
  phonenumber text,
  constraint membership_representative check (num_nulls(representative, representative_function,
    email, phonenumber) in (0, 4)),
  -- The phone or e-mail to which a code was sent and given back.
  proved_address text,
  -- In clarification: the parts to write again.
  asked text[] not null default '{}',
  reason text,
  cardnumber bigint,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  constraint membership_decision check ((state in ('approved', 'rejected')) = (decided_at is not null)
    and (state = 'rejected') = (reason is not null))
);
-- One request of a person for a service, and one that was sent for a company, whoever asked.
create unique index membership_changed on membership (person_id, service)
  where state not in ('approved', 'rejected');
create unique index membership_company_open on membership (left(siret, 9), service)
  where state in ('submitted', 'review', 'clarification');
create index membership_waiting on membership (number) where state in ('submitted', 'review');

-- What the operator asked and the person answered, in the order of time.
create table membership_exchange (
  id uuid primary key default gen_random_uuid(),
  membership_id uuid not null references membership (id) on delete cascade,
  at timestamptz not null,
  from_operator boolean not null,
  text text not null,
  parts text[] not null default '{}'
);
create index membership_exchange_membership on membership_exchange (membership_id, at);
