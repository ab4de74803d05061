-- The help names what « Suivi des repas » shows: a month whose day is chosen first, and its papers in a menu.
update faq_article set body = replace(body,
  'puis « Annuler » sous le repas.',
  'choisissez le jour, puis « Annuler » sous le repas. « Annuler plusieurs jours » en annule plusieurs à la fois.')
where id = 'annuler-un-repas';

update faq_article set body = replace(body,
  '« Ce que les repas ont coûté » donne les dépenses d’un mois, et « Attestation de l’année » un document en PDF.',
  'chaque mois dit ce que ses repas ont coûté, et le menu « Documents » donne l’« Attestation de l’année » en PDF.')
where id = 'attestation-de-cantine';
