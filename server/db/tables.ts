// Written by `npm run schema` from the catalogue after all migrations: do not edit.
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Attachment } from "#server/process/attachment.ts";

/** Read as the value, written as its JSON text. */
type Json<Shape = Record<string, unknown>> = ColumnType<Shape, string>;

export interface Tables {
  acceptance_group: {
    id: Generated<number>;
    name: string;
    slug: string;
    rule: string;
  };
  audit: {
    id: GeneratedAlways<number>;
    person_id: number;
    at: Date;
    actor: string;
    action: string;
    address: string | null;
    details: Json;
  };
  avatar: {
    person_id: number;
    id: Generated<string>;
    content: Buffer;
    at: Date;
  };
  card: {
    number: number;
    object_id: Generated<string>;
    person_id: number;
    state: "requested" | "approved" | "in_production" | "shipped" | "received" | "active" | "suspended" | "opposed" | "damaged" | "expired" | "replaced";
    atf: GeneratedAlways<number>;
    valid_until: string | null;
    requested_at: Generated<Date>;
    activated_at: Date | null;
    opposed_at: Date | null;
    opposed_why: string | null;
    replaces: number | null;
    batch_number: number | null;
  };
  card_batch: {
    number: GeneratedAlways<number>;
    operator: string;
    made_at: Date;
  };
  card_join_code: {
    cardnumber: number;
    hmac: Buffer;
    made_at: Date;
    used_at: Date | null;
  };
  closure: {
    id: Generated<string>;
    number: GeneratedAlways<number>;
    person_id: number;
    asked_by: number;
    asked_at: Date;
    closes_on: string;
    state: Generated<"asked" | "cancelled" | "closed">;
    answered_at: Date | null;
    beneficiary: string | null;
    iban_sealed: Buffer | null;
    iban_end: string | null;
    refund_cents: number | null;
    paid_at: Date | null;
    paid_reference: string | null;
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
  contact_change: {
    id: string;
    person_id: number;
    session_id: string;
    channel: "email" | "sms";
    former: string | null;
    former_since: Date | null;
    at: Date;
  };
  contact_draft: {
    person_id: number;
    thread_number: number;
    topic: string | null;
    subject: string;
    text: string;
    document_ids: string[];
    updated_at: Date;
  };
  contact_message: {
    id: GeneratedAlways<number>;
    thread_number: number;
    author_id: number | null;
    operator: string | null;
    text: string;
    at: Date;
    key: string | null;
    fingerprint: string | null;
  };
  contact_thread: {
    number: GeneratedAlways<number>;
    id: Generated<string>;
    person_id: number;
    topic: "money" | "card" | "services" | "family" | "sign_in" | "partner" | "other";
    subject: string;
    state: Generated<"open" | "answered" | "closed">;
    created_at: Date;
    updated_at: Date;
    last_message: Generated<number>;
  };
  custody: {
    number: GeneratedAlways<number>;
    id: Generated<string>;
    child_id: number;
    kind: "weeks" | "usual" | "days" | "halves";
    state: Generated<"proposed" | "agreed" | "declined" | "withdrawn">;
    first_id: number;
    second_id: number | null;
    from_on: string;
    to_on: string | null;
    proposed_by: number;
    proposed_to: number;
    proposed_at: Date;
    answered_at: Date | null;
  };
  data_export: {
    id: Generated<string>;
    person_id: number;
    asked_by: number;
    asked_at: Date;
    ready_at: Date | null;
    expires_at: Date | null;
    bytes: number | null;
  };
  data_export_part: {
    export_id: string;
    number: number;
    bytes: Buffer;
  };
  document: {
    id: Generated<string>;
    person_id: number;
    name: string;
    type: "image/jpeg" | "image/png" | "application/pdf";
    bytes: number;
    content: Buffer;
    sha256: Buffer;
    at: Date;
    attached_kind: string | null;
    attached_id: string | null;
    attached_at: Date | null;
    place: Generated<number>;
  };
  family_invitation: {
    id: string;
    inviter_id: number;
    cardnumber: number | null;
    invitee_id: number | null;
    role: "child" | "relative" | "guardian";
    child_id: number | null;
    state: Generated<"open" | "accepted" | "declined" | "cancelled" | "expired">;
    created_at: Date;
    expires_at: Date;
    answered_at: Date | null;
    answered_by: number | null;
    secret_hash: Buffer | null;
  };
  family_join_try: {
    person_id: number;
    day: string;
    tries: number;
  };
  family_tie: {
    guardian_id: number;
    member_id: number;
    role: "child" | "relative";
    since: Generated<string>;
  };
  faq_article: {
    id: string;
    place: number;
    category: "money" | "card" | "services" | "sign_in" | "family" | "portal";
    audience: 1 | 2 | null;
    question: string;
    keywords: string;
    body: string;
    summary: GeneratedAlways<string>;
    search: string;
    letters: string;
    own_words: string[];
  };
  faq_synonym: {
    words: string;
    forms: string[];
  };
  faq_vote: {
    article_id: string;
    person_id: number;
    useful: boolean;
    at: Date;
  };
  fare_group: {
    group_id: number;
    lead: string;
  };
  fare_product: {
    id: string;
    group_id: number;
    place: number;
    kind: "single" | "day" | "month" | "year" | "school";
    name: string;
    lead: string;
    price_cents: number;
    minutes: number | null;
    youngest: number | null;
    oldest: number | null;
    students_only: boolean;
    needs_stop: boolean;
    needs_photo: boolean;
    late_after: string | null;
    late_fee_cents: number;
    most_suspended_days: number;
    free_duplicates: number;
    duplicate_fee_cents: number;
    on_sale: boolean;
  };
  fare_reduction: {
    product_id: string;
    place: number;
    label: string;
    price_cents: number;
    youngest: number | null;
    oldest: number | null;
    students_only: boolean;
    quotient_up_to: number | null;
  };
  first_card_request: {
    number: GeneratedAlways<number>;
    id: Generated<string>;
    guardian_id: number;
    name: string;
    born_on: string;
    state: Generated<"open" | "approved" | "refused" | "withdrawn">;
    reason: string | null;
    person_id: number | null;
    asked_at: Date;
    answered_at: Date | null;
  };
  gift_link: {
    id: Generated<string>;
    wallet_id: number;
    person_id: number;
    secret_hash: Buffer;
    shown_name: string;
    max_each_cents: number;
    max_total_cents: number;
    max_count: number;
    expires_at: Date;
    revoked_at: Date | null;
    created_at: Date;
  };
  gift_payment: {
    top_up_id: string;
    link_id: string;
    payer_name: string;
    payer_email: string | null;
  };
  health_record: {
    person_id: number;
    sealed: Buffer;
    consented_by: number;
    consented_at: Date;
    updated_at: Date;
  };
  hold: {
    id: GeneratedAlways<number>;
    debit_account: number;
    credit_account: number | null;
    amount: number;
    posted_amount: number | null;
    at: Date;
    expires_at: Date | null;
    closed_at: Date | null;
    state: Generated<"pending" | "posted" | "voided">;
    kind: string;
    key: string;
    posted_key: string | null;
    memo: Json | null;
  };
  holder_reference: {
    reference: string;
    person_id: number;
    at: Date;
  };
  known_device: {
    person_id: number;
    hash: Buffer;
    first_at: Date;
    last_at: Date;
  };
  ledger_account: {
    id: GeneratedAlways<number>;
    balance: Generated<number>;
    held: Generated<number>;
    version: Generated<number>;
    floor: number | null;
    opened_at: Generated<Date>;
    asset: "EUR" | "PTS";
    kind: string;
  };
  legal_page: {
    page: "accessibilite" | "mentions-legales" | "donnees";
    body: string;
    conformity: "none" | "partial" | "full" | null;
    published_at: Date;
  };
  limiter: {
    key: string;
    failures: number;
    since: Date;
    blocked_until: Date | null;
    updated_at: Date;
  };
  login_alert: {
    id: string;
    person_id: number;
    session_id: string;
    at: Date;
    address: string | null;
    agent: string | null;
    expires_at: Date;
    used_at: Date | null;
    contact_change_id: string | null;
    confirmed_at: Date | null;
  };
  member_limit: {
    person_id: number;
    day_cents: number | null;
    week_cents: number | null;
    groups: number[] | null;
    set_by: number;
    set_at: Date;
  };
  migration: {
    number: number;
    name: string;
    sha256: string;
    at: Generated<Date>;
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
    alert_id: string | null;
  };
  notification_choice: {
    person_id: number;
    kind: string;
    channel: "email" | "sms";
    wanted: boolean;
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
    html: string | null;
    attachments: Json<Attachment[]> | null;
  };
  partner: {
    id: Generated<string>;
    reference: string;
    person_id: number | null;
    name: string;
    category_id: string;
    summary: string;
    description: string;
    keywords: string;
    street: string;
    postcode: string;
    town: string;
    lat: number;
    lon: number;
    phone: string | null;
    email: string | null;
    website: string | null;
    hidden_why: string | null;
    search: Generated<string>;
    letters: Generated<string>;
    frozen_at: Date | null;
    frozen_why: string | null;
    listed: GeneratedAlways<boolean>;
  };
  partner_category: {
    id: string;
    parent_id: string | null;
    name: string;
    place: number;
  };
  partner_closure: {
    partner_id: string;
    from_on: string;
    to_on: string;
    reason: string;
  };
  partner_group: {
    partner_id: string;
    group_id: number;
  };
  partner_hours: {
    partner_id: string;
    weekday: number;
    opens: string;
    closes: string;
  };
  partner_offer: {
    partner_id: string;
    place: number;
    kind: "discount" | "points" | "extra";
    title: string;
    detail: string | null;
    from_on: string | null;
    to_on: string | null;
  };
  pass: {
    id: string;
    holder_id: number;
    order_id: string;
    product_id: string;
    name: string;
    state: "pending" | "active" | "suspended" | "expired" | "replaced";
    valid_from: Date;
    valid_until: Date;
    stop_id: string | null;
    stop_name: string | null;
    qr_revision: Generated<number>;
    suspended_on: string | null;
    suspended_days: Generated<number>;
    duplicates: Generated<number>;
    replaces: string | null;
    asked_key: string | null;
    reminded_at: Date | null;
    created_at: Date;
  };
  pass_order: {
    id: string;
    number: GeneratedAlways<number>;
    person_id: number;
    holder_id: number;
    product_id: string;
    state: "draft" | "awaiting_payment" | "paid" | "cancelled";
    revision: Generated<number>;
    start_on: string | null;
    stop_id: string | null;
    stop_name: string | null;
    photo_id: string | null;
    wallet_id: number | null;
    top_up_id: string | null;
    full_cents: number | null;
    price_cents: number | null;
    price_reason: string | null;
    late_fee_cents: number | null;
    exemption: Generated<"none" | "asked" | "accepted" | "refused">;
    exemption_reason: string | null;
    exemption_asked_at: Date | null;
    exemption_answer: string | null;
    created_at: Date;
    updated_at: Date;
    paid_at: Date | null;
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
    session_id: string | null;
  };
  passkey_challenge: {
    challenge: string;
    person_id: number | null;
    session_id: string | null;
    created_at: Date;
    expires_at: Date;
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
  payment_method: {
    id: Generated<string>;
    person_id: number;
    provider: "sandbox" | "stripe";
    customer: string | null;
    ref: string;
    label: string;
    kept_at: Date;
    forgotten_at: Date | null;
  };
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
    subscription_renews_on: string | null;
    subscription_expires_at: Date | null;
    created_at: Generated<Date>;
    locked_at: Date | null;
    born_on: string | null;
    email_since: Date | null;
    phone_since: Date | null;
    disabled_why: string | null;
  };
  proof: {
    number: GeneratedAlways<number>;
    id: Generated<string>;
    person_id: number;
    sent_by: number;
    kind: "quotient" | "schooling" | "disability" | "home" | "identity";
    state: Generated<"waiting" | "validated" | "refused" | "withdrawn">;
    quotient: number | null;
    born_on: string | null;
    written_on: string | null;
    expires_on: string | null;
    valid_from: string | null;
    valid_until: string | null;
    reason: string | null;
    sent_at: Date;
    answered_at: Date | null;
    renewal_asked_at: Date | null;
  };
  recovery_code: {
    person_id: number;
    hmac: Buffer;
    made_at: Date;
    used_at: Date | null;
    session_id: string | null;
  };
  reversal: {
    number: GeneratedAlways<number>;
    transfer_id: number;
    reason: string;
    state: Generated<"asked" | "confirmed" | "refused" | "expired">;
    asked_by: string;
    asked_account: string;
    asked_at: Date;
    expires_at: Date;
    answered_by: string | null;
    answered_account: string | null;
    answered_at: Date | null;
    answer_reason: string | null;
    posted_id: number | null;
  };
  revoked_code: {
    kind: string;
    id: string;
    first_good: number;
    until: Date;
  };
  sandbox_charge: {
    id: string;
    reference: string;
    amount_cents: number;
    return_url: string;
    state: "open" | "pending" | "succeeded" | "declined" | "disputed";
    outcome: string | null;
    created_at: Date;
    updated_at: Date;
    label: string | null;
    keep: "asked" | "given" | null;
    refunded_cents: Generated<number>;
  };
  sandbox_event: {
    id: string;
    charge_id: string;
    type: "charge.authorized" | "charge.succeeded" | "charge.declined" | "charge.refunded" | "charge.disputed";
    copies: Generated<number>;
    due_at: Date;
    delivered_at: Date | null;
  };
  scheme_account: {
    name: string;
    account_id: number;
  };
  seal: {
    chain: "audit" | "journal";
    seq: number;
    ids: string[];
    digests: Buffer[];
    through: number;
    mac: Buffer;
    sealed_at: Date;
  };
  secret: {
    name: string;
    value: Buffer;
    created_at: Generated<Date>;
    root_id: string | null;
  };
  service: {
    code: string;
    place: number;
    audience: 1 | 2 | null;
    screen: "wallets" | "subscription" | "transit" | "tickets" | "directory" | "transport";
    name: string;
    summary: string;
    description: string;
    conditions: string[];
    closed_why: string | null;
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
    seen_at: Date | null;
  };
  subscription: {
    id: Generated<string>;
    number: GeneratedAlways<number>;
    person_id: number;
    buyer_id: number;
    state: "draft" | "review" | "active" | "expired" | "refused" | "cancelled" | "abandoned";
    step: Generated<"holder" | "options" | "price">;
    formula: string;
    formula_version: number;
    options: Generated<string[]>;
    revision: Generated<number>;
    created_at: Date;
    changed_at: Date;
    top_up_id: string | null;
    payment_by: number | null;
    payment_failed: string | null;
    wallet_id: number | null;
    lines: Json | null;
    paid_cents: number | null;
    paid_at: Date | null;
    starts_on: string | null;
    ends_on: string | null;
    reason: string | null;
    ended_at: Date | null;
    reminded_days: number | null;
  };
  subscription_cover: {
    subscription_id: string;
    person_id: number;
  };
  subscription_formula: {
    code: string;
    version: number;
    name: string;
    summary: string;
    opens: string[];
    place: number;
    year_cents: number;
    term: "year" | "school";
    min_age: number | null;
    max_age: number | null;
    student: Generated<boolean>;
    max_quotient: number | null;
    covers_children: Generated<boolean>;
    documents: Generated<string[]>;
    discounts: Json;
    since: Generated<Date>;
    retired_at: Date | null;
  };
  subscription_option: {
    code: string;
    name: string;
    summary: string;
    place: number;
    price_cents: number;
  };
  subscription_proof: {
    id: Generated<string>;
    subscription_id: string;
    kind: "photo" | "identity" | "schooling" | "quotient";
    document_id: string;
    given_at: Date;
  };
  ticket: {
    id: Generated<string>;
    order_id: string;
    session_id: string;
    category_id: string;
    owner_id: number;
    price_cents: number;
    reduced: boolean;
    state: "held" | "issued" | "used" | "transferred" | "cancelled" | "expired";
    revision: Generated<number>;
    policy: Json;
    replaces: string | null;
    issued_at: Date | null;
    used_at: Date | null;
    used_by: number | null;
    ended_at: Date | null;
  };
  ticket_category: {
    id: Generated<string>;
    event_id: string;
    place: number;
    name: string;
    price_cents: number;
    age_min: number | null;
    age_max: number | null;
    student: Generated<boolean>;
    quotient_max: number | null;
  };
  ticket_event: {
    id: Generated<string>;
    number: GeneratedAlways<number>;
    partner_id: number | null;
    title: string;
    summary: string;
    kind: string;
    organiser: string;
    venue: string;
    address: string;
    sale_from: Date;
    sale_until: Date;
    max_per_person: number;
    policy: Json;
    cancelled_at: Date | null;
    created_at: Date;
  };
  ticket_order: {
    id: Generated<string>;
    person_id: number;
    state: Generated<"cart" | "paid" | "expired" | "dropped">;
    opened_at: Date;
    expires_at: Date;
    paying_since: Date | null;
    top_up_id: string | null;
    wallet_id: number | null;
    paid_at: Date | null;
    ended_at: Date | null;
  };
  ticket_quota: {
    id: GeneratedAlways<number>;
    session_id: string;
    category_id: string | null;
    seats: number;
    taken: Generated<number>;
  };
  ticket_session: {
    id: Generated<string>;
    event_id: string;
    starts_at: Date;
    ends_at: Date;
  };
  ticket_transfer: {
    id: Generated<string>;
    ticket_id: string;
    from_id: number;
    to_cardnumber: number | null;
    to_id: number | null;
    state: Generated<"open" | "accepted" | "declined" | "withdrawn" | "expired">;
    asked_at: Date;
    expires_at: Date;
    answered_at: Date | null;
    secret_hash: Buffer | null;
  };
  ticket_wait: {
    id: Generated<string>;
    number: GeneratedAlways<number>;
    person_id: number;
    owner_id: number;
    session_id: string;
    category_id: string;
    quantity: number;
    state: Generated<"waiting" | "offered" | "taken" | "left" | "expired">;
    asked_at: Date;
    offered_until: Date | null;
  };
  top_up: {
    id: string;
    wallet_id: number;
    person_id: number;
    amount_cents: number;
    state: "initiated" | "authorized" | "credited" | "declined" | "review" | "refunded" | "disputed";
    provider: "sandbox" | "stripe";
    provider_ref: string | null;
    idempotency_key: string | null;
    reason: string | null;
    payment_url: string | null;
    created_at: Date;
    updated_at: Date;
    credited_at: Date | null;
    asked_at: Date | null;
    refunded_cents: Generated<number>;
    order_kind: "subscription" | "pass" | "tickets" | null;
    order_id: string | null;
    order_label: string | null;
    order_path: string | null;
    order_outcome: "settled" | "kept" | null;
    order_revision: number | null;
    origin: "rule" | "link" | null;
    origin_id: string | null;
    origin_label: string | null;
    payment_method_id: string | null;
    keep_payment_method: Generated<boolean>;
    return_path: string | null;
    return_cents: Generated<number>;
  };
  top_up_rule: {
    id: Generated<string>;
    wallet_id: number;
    person_id: number;
    trigger: "threshold" | "day";
    threshold_cents: number | null;
    day_of_month: number | null;
    mode: "amount" | "target";
    amount_cents: number;
    monthly_cents: number;
    payment_method_id: string | null;
    state: "waiting" | "active" | "paused" | "deleted";
    paused_why: "person" | "refused" | "payment_method" | "wallet" | null;
    armed: Generated<boolean>;
    tries: Generated<number>;
    next_at: Date | null;
    next_on: string | null;
    charging: string | null;
    consent_at: Date;
    created_at: Date;
  };
  transfer: {
    id: GeneratedAlways<number>;
    debit_account: number;
    credit_account: number;
    amount: number;
    debit_balance: number;
    credit_balance: number;
    debit_version: number;
    credit_version: number;
    at: Date;
    reverses: number | null;
    part: number;
    kind: string;
    key: string;
    memo: Json | null;
  };
  transit_departure: {
    feed_id: number;
    stop_id: number;
    departs: number;
    trip_id: number;
    service_id: number;
  };
  transit_direction: {
    feed_id: number;
    line_id: number;
    direction: number;
    head: string;
    trips: number;
    path: number[] | null;
  };
  transit_direction_stop: {
    feed_id: number;
    line_id: number;
    direction: number;
    place: number;
    stop_id: number;
    share: number;
  };
  transit_feed: {
    id: GeneratedAlways<number>;
    file: string;
    first_on: string;
    last_on: string;
    longest: number;
    counts: Json;
    at: Date;
    current: Generated<boolean>;
  };
  transit_group: {
    key: string;
    group_id: number;
  };
  transit_import: {
    id: GeneratedAlways<number>;
    file: string;
    began_at: Date;
    ended_at: Date;
    refused: string | null;
    report: Json;
    operator: string;
  };
  transit_line: {
    id: GeneratedAlways<number>;
    gtfs_id: string;
    feed_id: number | null;
    group_id: number;
    place: number;
    number: string;
    name: string;
    mode: "bus" | "tram" | "metro" | "train" | "boat" | "other";
    color: string;
    text_color: string;
    from_name: Generated<string>;
    to_name: Generated<string>;
    letters: Generated<string>;
  };
  transit_service: {
    feed_id: number;
    id: number;
    first_on: string | null;
    last_on: string | null;
    weekdays: number;
  };
  transit_service_change: {
    feed_id: number;
    service_id: number;
    on_day: string;
    runs: boolean;
  };
  transit_stop: {
    id: GeneratedAlways<number>;
    gtfs_id: string;
    feed_id: number | null;
    parent_id: number | null;
    name: string;
    lat: number | null;
    lon: number | null;
    letters: string;
  };
  transit_trip: {
    feed_id: number;
    id: number;
    line_id: number;
    direction: number;
    head: string;
  };
  transport_service: {
    id: Generated<string>;
    reference: string;
    audience: 1 | 2;
    name: string;
    network: string;
    summary: string;
    conditions: string[];
    monthly_cents: number;
    employer_percent: number | null;
    subscribed_only: Generated<boolean>;
    phone: string | null;
    email: string | null;
    hidden_why: string | null;
  };
  wallet: {
    id: GeneratedAlways<number>;
    object_id: Generated<string>;
    person_id: number;
    group_id: number;
    name: string;
    slug: string;
    frozen_at: Date | null;
    frozen_why: string | null;
    created_at: Generated<Date>;
  };
  wallet_alert: {
    wallet_id: number;
    person_id: number;
    threshold_cents: number;
    by_email: boolean;
    by_sms: boolean;
    below: boolean;
  };
  wallet_lot: {
    account_id: number;
    wallet_id: number;
    kind: "purchased" | "granted";
    label: string;
    expires_on: string | null;
    expired_at: Date | null;
    created_at: Generated<Date>;
  };
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
}
