-- The help names what the counter of a canteen shows now.
update faq_article set body = replace(body,
  'Lisez la carte ou le code du repas, saisissez le numéro, ou cherchez le nom dans « Liste ».',
  'Présentez la carte ou le code du repas à l’appareil photo, saisissez le « Numéro », ou touchez un nom de la « Liste du jour ». Un repas marqué d’un allergène n’est servi qu’après votre confirmation.')
  || E'\n\n« Mode guichet » laisse le guichet seul à l’écran, qui reste allumé.'
where id = 'guichet-de-cantine';
