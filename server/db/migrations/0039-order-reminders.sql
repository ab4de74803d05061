-- A reminder may be left out of the bell: it tells nothing that happened.
alter table notification_choice drop constraint notification_choice_channel;
alter table notification_choice add constraint notification_choice_channel
  check (channel in ('email', 'sms', 'bell'));

-- A meal of an evening's reminder is found by the canteen and the days before: meal_order_of_day serves it.
insert into faq_article (id, place, category, audience, question, keywords, body) values
('rappel-des-repas', 308, 'canteen', 1, 'Comment être prévenu avant la fin des commandes ?',
 'rappel prevenir oubli oublier commande cantine repas heure limite veille notification',
 'La veille de l’heure limite, entre 18 h et 21 h, un message part si un repas que vous commandez d’habitude n’est pas commandé. Il dit pour qui, quels jours et jusqu’à quand, et ouvre la semaine avec vos repas habituels cochés : il reste à les vérifier et à les commander.

« Rappel avant la fin des commandes », dans [Notifications](/profil/notifications), règle s’il arrive dans la cloche, par e-mail ou par SMS.

Un repas est habituel s’il a été commandé à trois au moins des quatre derniers services du même jour de la semaine.');
