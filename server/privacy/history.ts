// One holder's whole history for the operator: identity, cards and wallets, and all events, newest first:
// movements, top-ups, orders, requests, and the audit trail. No health data.
import { sql } from "kysely";
import { cardStateNames, type CardState } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDate, formatDateTime, formatMoney } from "#contract/french.ts";
import { type TopUpState, topUpStateNames } from "#contract/payments/rows.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { activityLabel, auditOperator } from "#server/identity/identity.ts";
import { transferKindName } from "#server/ledger/ledger.ts";
import type { OperatorDeps } from "#server/process/room.ts";

/** Lines per page on the screen. */
export const historyPage = 100;

export interface History {
  /** Identity, cards, wallets. */
  head: string[];
  events: string[];
  /** How many events there are in all. */
  count: number;
}

/**
 * The history of the person of a card; `page` (from 1) or null for all of it. The operator's access is
 * written to the audit trail. Refuses `not_found`.
 */
export async function historyOf(
  deps: OperatorDeps,
  { cardnumber, page, operator }: { cardnumber: number; page: number | null; operator: string },
): Promise<History> {
  const found = await query(deps.db).maybeOne(sql<{ id: number }>`
    select person_id as id from card where number = ${cardnumber}`);
  const personId = found?.id;
  if (personId === undefined) throw new Problem("not_found");
  await inTx(deps.db, (tx) =>
    auditOperator(tx, operator, "holder.history", { personId, at: deps.now() }),
  );
  const [head, events, count] = await Promise.all([
    headOf(deps.db, personId),
    eventsOf(deps.db, personId, page),
    countOf(deps.db, personId),
  ]);
  return { head, events, count };
}

async function headOf(db: Db, personId: number): Promise<string[]> {
  const { rows: people } = await sql<{
    name: string;
    type: number;
    email: string | null;
    phone: string | null;
    bornOn: string | null;
    createdAt: Date;
    disabled: boolean;
    why: string | null;
    reference: string | null;
    family: string[] | null;
  }>`
    select p.name, p.type, p.email, p.phonenumber as phone, p.born_on,
      p.created_at, p.disabled_at is not null as disabled, p.disabled_why as why,
      r.reference, (select array_agg(x.name order by x.name) from family_tie t join person x
        on x.id = case when t.guardian_id = p.id then t.member_id else t.guardian_id end
        where p.id in (t.guardian_id, t.member_id)) as family
    from person p left join holder_reference r on r.person_id = p.id
    where p.id = ${personId}`.execute(db);
  const { rows: cards } = await sql<{ number: number; state: CardState; until: string | null }>`
    select number, state, valid_until as until from card
    where person_id = ${personId} order by requested_at, number`.execute(db);
  const { rows: wallets } = await sql<{
    name: string;
    cents: number;
    held: number;
    frozen: boolean;
  }>`
    select w.name, coalesce(sum(a.balance), 0)::bigint as cents, coalesce(sum(a.held), 0)::bigint as held,
      w.frozen_at is not null as frozen
    from wallet w join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
    where w.person_id = ${personId} group by w.id order by w.id`.execute(db);
  return [
    ...people.flatMap((one) => [
      `${one.name}, ${one.type === 1 ? "porteur" : "professionnel"}, inscrit le ${formatDate(one.createdAt)}`,
      ...(one.reference ? [`référence  ${one.reference}`] : []),
      ...(one.bornOn ? [`naissance  ${formatDate(one.bornOn)}`] : []),
      `joint par  ${[one.email, one.phone].filter((way) => way !== null).join(", ") || "rien"}`,
      ...(one.family ? [`famille    ${one.family.join(", ")}`] : []),
      ...(one.disabled ? [`compte     ${one.why ? `désactivé : ${one.why}` : "fermé"}`] : []),
    ]),
    ...cards.map(
      ({ number, state, until }) =>
        `carte      ${formatCardnumber(number)}  ${cardStateNames[state]}` +
        (until ? `, jusqu'au ${formatDate(until)}` : ""),
    ),
    ...wallets.map(
      ({ name, cents, held, frozen }) =>
        `cagnotte   ${name}  ${formatMoney(cents)}` +
        (held > 0 ? `, dont ${formatMoney(held)} réservés` : "") +
        (frozen ? "  bloquée" : ""),
    ),
  ];
}

interface Event {
  at: Date;
  what: "movement" | "top_up" | "order" | "request" | "audit";
  word: string;
  cents: number | null;
  detail: string | null;
  state: string | null;
  details: Record<string, unknown> | null;
}

// One row shape for all events, whatever table they come from. A transfer between two lots of the person
// would be a line with amount 0: it is left out.
const events = (personId: number) => sql`
  with lot as (select l.account_id, w.name from wallet w join wallet_lot l on l.wallet_id = w.id
    where w.person_id = ${personId})
  select t.at, 1 as place, t.id::text as id, 'movement' as what, t.kind as word,
    case when c.account_id is null then -t.amount else t.amount end as cents,
    coalesce(c.name, d.name) || coalesce(', ' || coalesce(t.memo->>'label', t.memo->>'reason'), '') || ', n° ' || t.id
      as detail, null as state, null::jsonb as details
  from transfer t left join lot d on d.account_id = t.debit_account
  left join lot c on c.account_id = t.credit_account
  where (t.debit_account in (select account_id from lot) or t.credit_account in (select account_id from lot))
    and (d.account_id is null or c.account_id is null)
  union all select u.created_at, 2, u.id::text, 'top_up', 'recharge', u.amount_cents,
    concat_ws(', ', u.provider, u.id::text, u.order_label, u.reason), u.state, null
  from top_up u where u.person_id = ${personId}
    or u.wallet_id in (select id from wallet where person_id = ${personId})
  union all select coalesce(o.paid_at, o.created_at), 3, o.id::text, 'order', 'titre de transport', o.price_cents,
    o.product_id || ', n° ' || o.number, o.state, null
  from pass_order o where ${personId} in (o.person_id, o.holder_id)
  union all select coalesce(s.paid_at, s.created_at), 4, s.id::text, 'order', 'abonnement', s.paid_cents,
    s.formula || ', n° ' || s.number, s.state, null
  from subscription s where ${personId} in (s.person_id, s.buyer_id)
  union all select coalesce(r.paid_at, r.opened_at), 5, r.id::text, 'order', 'e-billets',
    (select sum(k.price_cents)::bigint from ticket k where k.order_id = r.id and k.replaces is null),
    concat_ws(', ', (select string_agg(distinct e.title, ', ') from ticket k
      join ticket_session x on x.id = k.session_id join ticket_event e on e.id = x.event_id
      where k.order_id = r.id)), r.state, null
  from ticket_order r where r.person_id = ${personId}
  union all select h.created_at, 6, h.id::text, 'request', h.subject, null, 'n° ' || h.number, h.state, null
  from contact_thread h where h.person_id = ${personId}
  union all select a.at, 7, a.id::text, 'audit', a.action, null, a.actor || coalesce(', ' || a.address, ''), null, a.details
  from audit a where a.person_id = ${personId}`;

async function eventsOf(db: Db, personId: number, page: number | null): Promise<string[]> {
  const span = page === null ? sql`` : sql`limit ${historyPage} offset ${(page - 1) * historyPage}`;
  const { rows } = await sql<Event>`select at, what, word, cents, detail, state, details
    from (${events(personId)}) e order by at desc, place desc, length(id) desc, id desc ${span}`.execute(
    db,
  );
  return rows.map(wordsOf);
}

async function countOf(db: Db, personId: number): Promise<number> {
  const { count } = await query(db).one(sql<{ count: number }>`
    select count(*)::int as count from (${events(personId)}) e`);
  return count;
}

function wordsOf({ at, what, word, cents, detail, state, details }: Event): string {
  const amount = cents === null ? "" : formatMoney(cents, { signed: what === "movement" });
  const said = what === "audit" ? activityWords(word, details ?? {}) : wordOf(what, word);
  const more = what === "audit" ? actorName(detail ?? "") : (detail ?? "");
  const where = state === null ? "" : `  ${stateName(what, state)}`;
  return (
    [formatDateTime(at), kindNames[what].padEnd(9), amount.padStart(12), said, more].join("  ") +
    where
  );
}

const kindNames: Readonly<Record<Event["what"], string>> = {
  movement: "opération",
  top_up: "recharge",
  order: "commande",
  request: "demande",
  audit: "activité",
};

const wordOf = (what: Event["what"], word: string): string =>
  what === "movement" ? transferKindName(word) : word;

function activityWords(action: string, details: Record<string, unknown>): string {
  const label = activityLabel(action, details);
  const why = details["why"];
  return typeof why === "string" ? `${label} : ${why}` : label;
}

const stateName = (what: Event["what"], state: string): string =>
  what === "top_up" ? topUpStateNames[state as TopUpState] : (stateNames[state] ?? state);

/** French names of the states of orders and requests; each screen has its own wording. */
const stateNames: Readonly<Record<string, string>> = {
  cart: "panier",
  draft: "en préparation",
  awaiting_payment: "paiement attendu",
  paid: "payée",
  review: "à vérifier",
  active: "en cours",
  expired: "terminée",
  refused: "refusée",
  cancelled: "annulée",
  abandoned: "abandonnée",
  dropped: "abandonnée",
  open: "attend une réponse",
  answered: "répondue",
  closed: "close",
};

/** The actor of an entry of the audit trail: « opérateur alice », « responsable n° 12 ». */
const actorName = (actor: string): string =>
  actor
    .replace(/^person$/, "par la personne")
    .replace(/^system$/, "par le portail")
    .replace(/^operator:/, "opérateur ")
    .replace(/^guardian:/, "responsable n° ");
