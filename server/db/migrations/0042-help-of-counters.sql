-- The help names what the counter of a canteen and the sales of a till show now.
update faq_article set body = replace(body,
  'Lisez la carte ou le code du repas, saisissez le numéro, ou cherchez le nom dans « Liste ».',
  'Présentez la carte ou le code du repas à l’appareil photo, saisissez le « Numéro », ou touchez un nom de la « Liste du jour ». Un repas marqué d’un allergène n’est servi qu’après votre confirmation.')
  || E'\n\n« Mode guichet » laisse le guichet seul à l’écran, qui reste allumé.'
where id = 'guichet-de-cantine';

update faq_article set body = replace(body,
  'ouvrez « Ventes ».',
  'ouvrez « Ventes », puis la vente.')
where id = 'rembourser-une-vente';
