// Who a person is and how they come in: login, session, passwords, codes, contact details.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { password as limits } from "../limits.ts";

/** A password as typed: any character, 1 to 128; strength is judged only when one is chosen. */
export const typedPassword = c.secret(limits.longest, 1);

/** The current user as the login answers it (spec §3). */
export const user = z.object({
  id: z.int(),
  avatar: z.nullable(z.string()),
  cardnumber: c.cardnumber,
  name: z.string(),
  /** Day of renewal of the card's subscription, null when there is none. */
  dateRenew: z.nullable(c.day),
  /** Expiry of the subscription in seconds since the epoch, 0 when there is none. */
  subExp: z.int(),
  phonenumber: z.nullable(z.string()),
  /** 1 while a subscription runs, else 0. */
  isc: z.int(),
  /** 1 when the card is usable, else 0. */
  actif: z.int(),
  /** 1 individual, 2 professional. */
  type: z.union([z.literal(1), z.literal(2)]),
  isReset: z.boolean(),
  email: z.nullable(z.string()),
  objectID: c.uuid,
});
export type User = z.output<typeof user>;

const token = z.object({ jeton: z.string(), expires_in: z.int() });

/** The answer of every way to log in. */
export const loginAnswer = z.object({
  message: z.string(),
  data: user,
  token,
});

/** An entry of the person's own activity log. */
const activity = z.object({
  id: z.number(),
  at: c.instant,
  action: z.string(),
  /** French sentence for the screen. */
  label: z.string(),
  address: z.nullable(z.string()),
});

/** What the rows of « Profil » say of the settings behind them. */
const settingsState = z.object({
  passkeys: z.int(),
  /** Null where none were ever made. */
  recoveryCodesLeft: z.nullable(z.int()),
  /** Open sessions, the one that asks included. */
  sessions: z.int(),
  lastActivity: z.nullable(z.object({ at: c.instant, label: z.string() })),
  /** Kinds of news that leave by each channel beside the bell. */
  kindsSent: z.object({ email: z.int(), sms: z.int() }),
  /** When the person's allergens were declared with consent, null where none are. */
  allergiesDeclaredAt: z.nullable(c.instant),
  /** The day on which the account closes, null where no closing was asked for. */
  closesOn: z.nullable(c.day),
  /** The latest export of the person's own data: under way, or waiting to be downloaded. */
  dataExport: z.nullable(z.enum(["waiting", "ready"])),
});
export type SettingsState = z.output<typeof settingsState>;

const profile = z.object({
  objectID: c.uuid,
  name: z.string(),
  cardnumber: c.cardnumber,
  type: user.shape.type,
  email: z.nullable(z.string()),
  phonenumber: z.nullable(z.string()),
  memberSince: c.day,
  passwordChangedAt: z.nullable(c.instant),
  settings: settingsState,
});

export const identity = {
  login: c.row({
    method: "POST",
    path: "/api/login",
    access: "public",
    of: "anyone",
    summary: "Opens a session with card number and password",
    source: "spec §3, §5, §7",
    input: z.object({
      login: z.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
      password: typedPassword,
    }),
    output: loginAnswer,
    problems: ["wrong_credentials", "login_locked", "renewal_required", "account_disabled"],
    timeoutMs: 59_000,
  }),
  logout: c.row({
    method: "POST",
    path: "/api/logout",
    access: "session",
    of: "self",
    summary: "Ends this session at once",
    source: "spec §4",
    input: c.emptyObject,
    output: c.messageAnswer,
    problems: [],
  }),
  session: c.row({
    method: "GET",
    path: "/api/session",
    access: "session",
    of: "self",
    reads: ["session", "cards"],
    summary: "The current user as the server knows it now",
    source: "spec.md 2",
    input: c.emptyObject,
    output: z.object({ data: user, endsAt: c.instant }),
    problems: [],
  }),
  renew: c.row({
    method: "POST",
    path: "/api/session/renew",
    access: "session",
    of: "self",
    changes: ["session"],
    summary: "A new token for the same session, at most 12 hours after login",
    source: "spec.md 7",
    input: c.emptyObject,
    output: z.object({ token, endsAt: c.instant, renewable: z.boolean() }),
    problems: [],
  }),
  forgot: c.row({
    method: "POST",
    path: "/api/password/forgot",
    access: "public",
    of: "anyone",
    summary: "Sends a code to the address on file; says the same of every card, and nothing of it",
    source: "spec §2 forgotPassword; spec.md 20",
    input: z.object({
      login: z.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
    }),
    output: z.object({ challenge: c.uuid, expiresAt: c.instant }),
    problems: ["no_channel", "code_sends_exhausted"],
  }),
  forgotReset: c.row({
    method: "POST",
    path: "/api/password/forgot/reset",
    access: "public",
    of: { challenge: "secret" },
    summary: "Chooses a new password with the code received",
    source: "spec §2 forgotPassword",
    input: z.object({
      challenge: c.uuid,
      code: z.string().check(z.regex(/^\d{6}$/)),
      password: typedPassword,
    }),
    output: c.messageAnswer,
    problems: ["code_wrong", "code_expired", "password_too_short", "password_too_common"],
  }),
  resetPassword: c.row({
    method: "POST",
    path: "/api/password/reset",
    access: "reset",
    of: "self",
    summary: "Chooses the first password of one's own; ends isReset",
    source: "spec §4; spec.md 2",
    input: z.object({ password: typedPassword }),
    /** `tour`: it was a holder's first one ever, and the tour of the first day is offered. */
    output: z.object({ message: z.string(), data: user, tour: z.boolean() }),
    problems: [
      "password_too_short",
      "password_too_common",
      "password_unchanged",
      "reset_not_pending",
    ],
  }),
  endTour: c.row({
    method: "POST",
    path: "/api/tour/end",
    access: "holder",
    of: "self",
    changes: ["person"],
    summary:
      "Ends the tour of the first day, walked or skipped, on every device; again changes nothing",
    source: "server/identity/README.md#first-day",
    input: c.emptyObject,
    output: c.emptyObject,
    problems: [],
    timeoutMs: 10_000,
  }),
  changePassword: c.row({
    method: "POST",
    path: "/api/password/change",
    access: "person",
    of: "self",
    changes: ["person", "activity", "session"],
    summary: "Changes the password and ends the other sessions",
    source: "spec §2 profil",
    input: z.object({ current: typedPassword, password: typedPassword }),
    output: c.messageAnswer,
    problems: [
      "wrong_password",
      "login_locked",
      "password_too_short",
      "password_too_common",
      "password_unchanged",
    ],
  }),
  profile: c.row({
    method: "GET",
    path: "/api/profile",
    access: "person",
    of: "self",
    reads: [
      "person",
      "passkeys",
      "recovery_codes",
      "session",
      "activity",
      "notice_choices",
      "allergies",
      "privacy",
    ],
    summary: "Identity and contact details, and the state of the settings",
    source: "spec §2 profil",
    input: c.emptyObject,
    output: profile,
    problems: [],
  }),
  changeEmail: c.row({
    method: "POST",
    path: "/api/profile/email",
    access: "person",
    of: "self",
    changes: ["person", "activity"],
    summary:
      "Changes the e-mail: password or passkey, and a code sent to the new one; the old one is told",
    source: "spec §2 profil; spec.md 14 and 29",
    input: z.object({ email: c.email, ...c.stepUp }),
    output: profile,
    problems: ["family_minor", ...c.newAddressProblems],
  }),
  changePhone: c.row({
    method: "POST",
    path: "/api/profile/phone",
    access: "person",
    of: "self",
    changes: ["person", "activity"],
    summary:
      "Changes the phone: password or passkey, and a code sent to the new one; the old one is told",
    source: "spec §2 dashboard and profil; spec.md 14 and 29",
    input: z.object({ phonenumber: c.phone, ...c.stepUp }),
    output: profile,
    problems: ["family_minor", ...c.newAddressProblems, "phone_invalid", "phone_not_mobile"],
  }),
  activity: c.row({
    method: "GET",
    path: "/api/profile/activity",
    access: "person",
    of: "self",
    reads: ["activity"],
    summary: "What was done on the account, newest first",
    source: "spec §2 profil",
    input: z.object({ before: c.before, limit: c.limit }),
    output: c.page(activity),
    problems: [],
  }),
} as const;
