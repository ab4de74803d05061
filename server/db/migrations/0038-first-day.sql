-- The tour of the first day: offered to a holder with the first password, ended once it is walked or skipped, on every
-- device. Whoever had a password before is offered none.
alter table person
  add column tour_state text,
  add constraint person_tour_state check (tour_state in ('offered', 'ended'));

insert into faq_article (id, place, category, audience, question, keywords, body) values
('premiers-pas', 99, 'card', 1, 'Par où commencer ?',
 'commencer debut debuter decouvrir visite tour premiers pas presentation',
 'Le tour des [Premiers pas](/premiers/pas) présente en quelques étapes votre carte et son QR code, vos enfants, la recharge et la cantine. Chaque étape mène à ce qu’elle présente.

Il s’ouvre de lui-même après votre premier mot de passe, une seule fois. « Passer » le ferme ; vous le revoyez ici quand vous le voulez.');
