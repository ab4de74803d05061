-- The help leads to « Dépenses », and says where a wallet's page tells what it pays.
insert into faq_article (id, place, category, audience, question, keywords, body) values
('ou-passe-mon-argent', 86, 'money', 1, 'Où passe mon argent ?',
 'dépense dépenses dépenser budget mois catégorie graphique combien coûte',
 '[Dépenses](/cagnottes/depenses) montre ce que vos cartes ont payé, mois par mois et par catégorie, remboursements déduits. Choisissez « Toute la famille » ou une personne, puis un mois : chaque catégorie mène à ses opérations.

Les recharges, les virements et les aides ne sont pas des dépenses. « Voir le tableau » donne les douze mois en chiffres.');

update faq_article set body = replace(body,
  '[Cagnottes](/services/cagnottes) montre l’argent de votre carte. La cagnotte principale paie partout. Chaque autre cagnotte paie là où elle est acceptée : c’est écrit sous son nom.',
  '[Cagnottes](/services/cagnottes) montre l’argent de votre famille, une ligne par personne. La cagnotte principale paie partout. Chaque autre cagnotte paie là où elle est acceptée : ouvrez-la, c’est écrit dans « Détail de la cagnotte ».')
where id = 'plusieurs-cagnottes';
