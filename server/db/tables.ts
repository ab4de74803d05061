// The tables as TypeScript sees them; server/db/schema.sql is their truth.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { CardState } from "#contract/cards.ts";
import type { FaqCategory } from "#contract/content.ts";
import type { OrderKind, TopUpState } from "#contract/payments.ts";

type Now = ColumnType<Date, Date | string | undefined, Date | string>;
type Json = JSONColumnType<Record<string, unknown>, string | undefined>;

/** The scheme's own ledger accounts, opened by the migrations. */
export type SchemeAccount =
  | "payments:sandbox"
  | "payments:stripe"
  | "suspense"
  | "disputes"
  | "grants"
  | "expired"
  | "purchases"
  | "transport"
  | "closures"
  | "bank"
  | "subscriptions"
  | "tickets";

export interface Tables {
  secret: { name: string; value: Buffer; created_at: Generated<Date> };
  person: {
    id: GeneratedAlways<number>;
    object_id: Generated<string>;
    type: 1 | 2;
    name: string;
    avatar: string | null;
    email: string | null;
    phonenumber: string | null;
    password_hash: string;
    password_changed_at: Date | null;
    must_reset: Generated<boolean>;
    disabled_at: Date | null;
    locked_at: Generated<Date | null>;
    subscription_renews_on: string | null;
    subscription_expires_at: Date | null;
    born_on: Generated<string | null>;
    created_at: Now;
  };
  card: {
    number: number;
    object_id: Generated<string>;
    person_id: number;
    state: CardState;
    atf: GeneratedAlways<0 | 1>;
    valid_until: string | null;
    requested_at: Now;
    activated_at: Date | null;
    opposed_at: Date | null;
    opposed_why: string | null;
    replaces: number | null;
  };
  session: {
    id: string;
    person_id: number;
    cardnumber: number;
    binding: Buffer | null;
    created_at: Date;
    renewed_at: Date;
    ends_at: Date;
    ended_at: Date | null;
    ended_why: string | null;
    address: string | null;
    agent: string | null;
    seen_at: Generated<Date | null>;
  };
  passkey: {
    id: string;
    person_id: number;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  passkey_challenge: {
    challenge: string;
    person_id: number | null;
    session_id: string | null;
    created_at: Date;
    expires_at: Date;
  };
  recovery_code: { person_id: number; hmac: Buffer; made_at: Date; used_at: Date | null };
  known_device: { person_id: number; hash: Buffer; first_at: Date; last_at: Date };
  login_alert: {
    id: string;
    person_id: number;
    session_id: string;
    at: Date;
    address: string | null;
    agent: string | null;
    email: string | null;
    phonenumber: string | null;
    expires_at: Date;
    used_at: Date | null;
  };
  code: {
    id: string;
    purpose: string;
    person_id: number | null;
    limiter_key: string;
    binding: Buffer;
    hmac: Buffer;
    sent_to: string;
    tries: Generated<number>;
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
  };
  limiter: {
    key: string;
    failures: number;
    since: Date;
    blocked_until: Date | null;
    updated_at: Date;
  };
  audit: {
    id: GeneratedAlways<number>;
    person_id: number;
    seq: number;
    at: Date;
    actor: string;
    action: string;
    address: string | null;
    details: Json;
    prev: Buffer;
    hash: Buffer;
  };
  audit_head: { person_id: number; seq: number; hash: Buffer };
  family_tie: {
    guardian_id: number;
    member_id: number;
    role: "child" | "relative";
    since: Generated<string>;
  };
  family_invitation: {
    id: string;
    inviter_id: number;
    cardnumber: number;
    invitee_id: number | null;
    role: "child" | "relative" | "guardian";
    child_id: number | null;
    state: Generated<"open" | "accepted" | "declined" | "cancelled" | "expired">;
    created_at: Date;
    expires_at: Date;
    answered_at: Generated<Date | null>;
    answered_by: Generated<number | null>;
  };
  member_limit: {
    person_id: number;
    day_cents: number | null;
    week_cents: number | null;
    groups: number[] | null;
    set_by: number;
    set_at: Date;
  };
  card_join_code: { cardnumber: number; hmac: Buffer; made_at: Date; used_at: Date | null };
  family_join_try: { person_id: number; day: string; tries: number };
  acceptance_group: { id: number; name: string; slug: string; rule: string };
  wallet: {
    id: GeneratedAlways<number>;
    object_id: Generated<string>;
    person_id: number;
    group_id: number;
    name: string;
    slug: string;
    frozen_at: Date | null;
    frozen_why: string | null;
    created_at: Now;
  };
  wallet_lot: {
    account_id: number;
    wallet_id: number;
    kind: "purchased" | "granted";
    label: string;
    expires_on: string | null;
    expired_at: Date | null;
    created_at: Now;
  };
  scheme_account: { name: SchemeAccount; account_id: number };
  wallet_transfer: {
    id: string;
    person_id: number;
    from_wallet: number;
    to_wallet: number;
    to_cardnumber: number;
    to_name: string;
    amount_cents: number;
    balance_after_cents: number;
    idempotency_key: string | null;
    at: Date;
  };
  top_up: {
    id: string;
    wallet_id: number;
    person_id: number;
    amount_cents: number;
    state: TopUpState;
    provider: "sandbox" | "stripe";
    provider_ref: string | null;
    idempotency_key: string | null;
    reason: string | null;
    payment_url: string | null;
    created_at: Date;
    updated_at: Date;
    credited_at: Date | null;
    asked_at: Date | null;
    /** Given back so far of what was credited. */
    refunded_cents: Generated<number>;
    order_kind: Generated<OrderKind | null>;
    order_id: Generated<string | null>;
    order_label: Generated<string | null>;
    order_path: Generated<string | null>;
    order_outcome: Generated<"settled" | "kept" | null>;
    origin: Generated<"rule" | "link" | null>;
    origin_id: Generated<string | null>;
    origin_label: Generated<string | null>;
    means_id: Generated<string | null>;
    keep_means: Generated<boolean>;
    return_path: Generated<string | null>;
  };
  payment_means: {
    id: Generated<string>;
    person_id: number;
    provider: "sandbox" | "stripe";
    customer: string | null;
    ref: string;
    label: string;
    kept_at: Date;
    forgotten_at: Date | null;
  };
  payment_event: {
    provider: string;
    event_id: string;
    top_up_id: string | null;
    type: string;
    payload: Json;
    received_at: Date;
    outcome: string;
  };
  sandbox_charge: {
    id: string;
    reference: string;
    amount_cents: number;
    return_url: string;
    label: Generated<string | null>;
    keep: Generated<"asked" | "given" | null>;
    state: "open" | "pending" | "succeeded" | "declined" | "disputed";
    outcome: string | null;
    created_at: Date;
    updated_at: Date;
  };
  sandbox_event: {
    id: string;
    charge_id: string;
    type: string;
    copies: Generated<number>;
    due_at: Date;
    delivered_at: Date | null;
  };
  notification: {
    id: GeneratedAlways<number>;
    person_id: number;
    at: Date;
    kind: string;
    title: string;
    body: string;
    path: string | null;
    read_at: Date | null;
  };
  outbox: {
    id: GeneratedAlways<number>;
    person_id: number | null;
    channel: "email" | "sms";
    address: string;
    subject: string;
    body: string;
    secret: Generated<boolean>;
    created_at: Date;
    sent_at: Date | null;
    given_up_at: Date | null;
    attempts: Generated<number>;
    last_error: string | null;
  };
  faq_article: {
    id: string;
    place: number;
    category: FaqCategory;
    audience: 1 | 2 | null;
    question: string;
    keywords: string;
    body: string;
    summary: GeneratedAlways<string>;
  };
  faq_vote: { article_id: string; person_id: number; useful: boolean; at: Date };
}
