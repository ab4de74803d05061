-- The canteen among the services of the portal.
alter table service drop constraint service_screen;
alter table service add constraint service_screen check (screen in
  ('wallets', 'subscription', 'transit', 'tickets', 'directory', 'transport', 'canteen'));
insert into service (code, place, audience, screen, name, summary, description, conditions) values
('cantine', 25, 1, 'canteen', 'Cantine',
 'Les menus de la semaine et les repas de vos enfants.',
 'Voyez le menu de chaque jour, commandez un repas ou une année entière, annulez jusqu’à l’heure que la cantine a fixée.

Le prix d’un repas est mis de côté dans la cagnotte et dépensé quand il est servi.',
 array['Un enfant mange à la cantine où son inscription est acceptée.',
  'Chaque repas dit jusqu’à quand il se commande et s’annule.']);
