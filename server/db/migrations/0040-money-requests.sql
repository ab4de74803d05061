-- A child asks its guardians for money; whoever answers first sends it from their own main wallet, or refuses.
create table money_request (
  id uuid primary key default gen_random_uuid(),
  -- The child.
  person_id bigint not null references person (id),
  amount_cents bigint not null constraint money_request_amount check (amount_cents > 0),
  words text constraint money_request_words check (char_length(words) <= 140),
  -- `ended`: by an opposition, a closed account or the coming of age, without an answer.
  state text not null default 'open' constraint money_request_state
    check (state in ('open', 'sent', 'refused', 'withdrawn', 'expired', 'ended')),
  created_at timestamptz not null,
  -- From then on nobody can answer, even before the hourly job has written it down.
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- The guardian who answered.
  answered_by bigint references person (id),
  answer_words text constraint money_request_answer_words check (char_length(answer_words) <= 140),
  sent_cents bigint,
  -- The transfer that the guardian made: one for one request.
  transfer_id uuid unique references wallet_transfer (id),
  constraint money_request_whole check (
    (state = 'open') = (ended_at is null)
    and (state in ('sent', 'refused')) = (answered_by is not null)
    and (state = 'sent') = (transfer_id is not null)
    and (state = 'sent') = (sent_cents is not null)
    and (state = 'refused' or answer_words is null))
);
create unique index money_request_waiting on money_request (person_id) where state = 'open';
create index money_request_of_person on money_request (person_id, created_at desc);
create index money_request_answered_by on money_request (answered_by) where answered_by is not null;

insert into faq_article (id, place, category, audience, question, keywords, body) values
('demander-de-l-argent', 71, 'money', 1, 'Comment demander de l’argent à mes parents ?',
 'demander demande reclamer parent pere mere responsable besoin argent de poche',
 'Connectez-vous avec votre carte, puis ouvrez [Demander de l’argent](/cagnottes/demander), par « Demander » sur [Ma carte](/dashboard). Choisissez un montant, ajoutez un mot si vous voulez, puis envoyez. Tous vos responsables sont prévenus, et l’argent arrive dans votre cagnotte principale dès que l’un d’eux accepte.

Une seule demande peut attendre à la fois. Vous pouvez la retirer tant que personne n’a répondu ; sans réponse, elle se termine au bout de {moneyRequestDays} jours.'),
('repondre-a-une-demande-d-argent', 72, 'money', 1, 'Comment répondre à une demande d’argent ?',
 'demande reponse accepter refuser envoyer argent de poche',
 'La demande est sur [Ma carte](/dashboard), dans « À faire » : « Envoyer » vire aussitôt le montant de votre cagnotte principale vers celle de l’enfant. « Autre montant » en choisit un autre, et « Refuser » répond non, avec un mot si vous voulez.

Si votre cagnotte n’a pas assez, le bouton mène à la recharge du montant qui manque. Quand deux responsables ont reçu la demande, la première réponse compte. À partir de {codeFrom} en 24 heures, un code vous est demandé.');
