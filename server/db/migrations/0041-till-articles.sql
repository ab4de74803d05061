-- The price list of a company's tills: what a cashier taps instead of typing an amount.
create table till_article (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company (id),
  name text not null,
  price_cents integer not null,
  -- Under which heading the till shows it.
  shelf text,
  position integer not null,
  -- Off the keys of the till for a while, without losing its place.
  active boolean not null default true,
  constraint till_article_taken unique (company_id, name),
  constraint till_article_name check (char_length(name) between 1 and 40),
  constraint till_article_price check (price_cents between 1 and 100000),
  constraint till_article_shelf check (char_length(shelf) between 1 and 30)
);

-- What was sold, as it was named and priced then: a list of {name, priceCents, count} that no later price changes.
alter table till_sale
  add column lines jsonb not null default '[]',
  add constraint till_sale_lines check (jsonb_typeof(lines) = 'array');
alter table till_offline
  add column lines jsonb not null default '[]',
  add constraint till_offline_lines check (jsonb_typeof(lines) = 'array');

update faq_article set body = replace(body,
  'saisissez le montant, puis lisez le QR code de la carte avec l’appareil photo ou un lecteur, ou saisissez son numéro.',
  'saisissez le montant ou touchez vos articles, appuyez sur « Encaisser », puis présentez le QR code de la carte à l’appareil photo ou à un lecteur, ou choisissez « Saisir le numéro ».')
  || E'\n\nLe responsable tient la liste des prix dans « Articles ». Un changement de prix ne touche pas une vente commencée. « Mode caisse » laisse la caisse seule à l’écran, qui reste allumé.'
where id = 'encaisser';

update faq_article set body = replace(body,
  'ouvrez « Ventes ».',
  'ouvrez « Ventes », puis la vente.')
  || E'\n\nLa vente donne aussi son reçu en PDF, et l’envoie de nouveau à la personne.'
where id = 'rembourser-une-vente';

update faq_article set body = body
  || E'\n\nLa même page liste les jours du mois, chacun à côté du même jour de la semaine d’avant, et les donne en PDF ou en CSV.'
where id = 'cloturer-la-caisse';
