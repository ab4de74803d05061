-- The help names the pages of the profile that hold what it speaks of.
update faq_article set body = replace(body,
  'Dans [Profil](/profil), choisissez de changer le mot de passe.',
  'Dans [Profil](/profil), ouvrez [Connexion](/profil/connexion) et choisissez « Changer le mot de passe ».')
where id = 'changer-mot-de-passe';

update faq_article set body = replace(body,
  'Ajoutez-en une depuis [Profil](/profil).',
  'Ajoutez-en une depuis [Connexion](/profil/connexion), dans votre profil.')
where id = 'cles-d-acces';

update faq_article set body = replace(body,
  'Créez-les dans [Profil](/profil), imprimez-les',
  'Créez-les dans [Connexion](/profil/connexion), dans votre profil, imprimez-les')
where id = 'codes-de-secours';

update faq_article set body = replace(body,
  '[Profil](/profil) montre aussi les appareils connectés',
  '[Activité](/profil/activite), dans votre profil, liste ce qui a été fait sur votre compte. [Appareils](/profil/appareils) montre les appareils connectés')
where id = 'connexion-inconnue';

update faq_article set body = replace(body,
  'Dans [Profil](/profil), modifiez le téléphone',
  'Dans [Coordonnées](/profil/coordonnees), dans votre profil, modifiez le téléphone')
where id = 'changer-telephone-email';
