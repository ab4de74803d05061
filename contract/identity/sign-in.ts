// Strong sign-in: passkeys, recovery codes, the open sessions, and the alert on an unknown browser.
// Rows of the identity room, beside those of contract/identity/rows.ts.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { assertion, base64url, credential } from "./assertion.ts";
import { loginAnswer, typedPassword } from "./rows.ts";

const name = c.text(60, 1).check(z.regex(/\S/));

/** Options with which the browser makes a passkey (WebAuthn, PublicKeyCredentialCreationOptionsJSON). */
const creationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.optional(z.string()) }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
});

/** Options with which the browser signs with one (WebAuthn, PublicKeyCredentialRequestOptionsJSON). */
const requestOptions = z.looseObject({ challenge: z.string(), rpId: z.optional(z.string()) });

const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: z.optional(z.array(c.text(20)).check(z.maxLength(10))),
  }),
});

export type Attestation = z.output<typeof attestation>;

const passkey = z.object({
  id: c.uuid,
  name: z.string(),
  createdAt: c.instant,
  lastUsedAt: z.nullable(c.instant),
  /** Kept by the person's password manager on all their devices, not by one device alone. */
  synced: z.boolean(),
});
export type Passkey = z.output<typeof passkey>;

const openSession = z.object({
  id: c.uuid,
  /** French words for browser and device: « Chrome sur Windows ». */
  device: z.string(),
  address: z.nullable(z.string()),
  openedAt: c.instant,
  /** Within five minutes: not every call is written down. */
  lastUsedAt: c.instant,
  /** The session that asks. */
  current: z.boolean(),
  /** What a proof opened there: payments pass without another until then, up to what is left; null for none. */
  moneyProof: z.nullable(z.object({ until: c.instant, leftCents: c.amountCents })),
});
export type OpenSession = z.output<typeof openSession>;

/** The secret of the link « Ce n'était pas moi »: 16 bytes of name, 32 of seal. */
const alertToken = z.string().check(z.regex(/^[\w-]{64}$/));

const openAlert = z.object({
  id: c.uuid,
  device: z.string(),
  address: z.nullable(z.string()),
  at: c.instant,
});

export const signIn = {
  passkeyChallenge: c.row({
    method: "POST",
    path: "/api/login/passkey/challenge",
    access: "public",
    of: "anyone",
    summary: "What a browser must sign to log in with a passkey; five minutes, once",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ options: requestOptions }),
    problems: ["passkeys_unavailable"],
  }),
  passkeyLogin: c.row({
    method: "POST",
    path: "/api/login/passkey",
    access: "public",
    of: "anyone",
    summary: "Opens a session with a passkey that the browser found by itself",
    source: "docs/decisions/008",
    input: z.object({ response: assertion }),
    output: loginAnswer,
    problems: [
      "passkey_refused",
      "passkey_expired",
      "passkeys_unavailable",
      "renewal_required",
      "account_disabled",
    ],
    timeoutMs: 59_000,
  }),
  passkeys: c.row({
    method: "GET",
    path: "/api/profile/passkeys",
    access: "person",
    of: "self",
    reads: ["passkeys"],
    summary: "One's passkeys, the latest first",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ items: z.array(passkey) }),
    problems: [],
  }),
  passkeyOptions: c.row({
    method: "POST",
    path: "/api/profile/passkeys/options",
    access: "person",
    of: "self",
    summary: "What the browser needs to make a passkey, once a code has approved it",
    source: "docs/decisions/008; spec.md 14",
    input: z.object({ ...c.stepUp }),
    output: z.object({ options: creationOptions }),
    problems: [...c.stepUpProblems, "passkey_limit", "passkeys_unavailable"],
  }),
  addPasskey: c.row({
    method: "POST",
    path: "/api/profile/passkeys",
    access: "person",
    of: "self",
    changes: ["passkeys", "activity"],
    summary: "Keeps the passkey that the browser made from those options",
    source: "docs/decisions/008",
    input: z.object({ response: attestation, name: z.optional(name) }),
    output: passkey,
    status: 201,
    problems: [
      "passkey_refused",
      "passkey_expired",
      "passkey_limit",
      "passkey_known",
      "passkeys_unavailable",
    ],
  }),
  renamePasskey: c.row({
    method: "POST",
    path: "/api/profile/passkeys/:id/name",
    access: "person",
    of: { id: "passkey" },
    changes: ["passkeys", "activity"],
    summary: "Gives a passkey another name",
    source: "docs/decisions/008",
    input: z.object({ id: c.uuid, name }),
    output: passkey,
    problems: [],
  }),
  removePasskey: c.row({
    method: "POST",
    path: "/api/profile/passkeys/:id/remove",
    access: "person",
    of: { id: "passkey" },
    changes: ["passkeys", "activity"],
    summary: "Removes a passkey, approved by a code",
    source: "docs/decisions/008; spec.md 14",
    input: z.object({ id: c.uuid, ...c.stepUp }),
    output: c.messageAnswer,
    problems: [...c.stepUpProblems],
  }),
  recoveryCodes: c.row({
    method: "GET",
    path: "/api/profile/recovery-codes",
    access: "person",
    of: "self",
    reads: ["recovery_codes"],
    summary: "How many recovery codes are left, never which",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ left: z.int(), madeAt: z.nullable(c.instant) }),
    problems: [],
  }),
  makeRecoveryCodes: c.row({
    method: "POST",
    path: "/api/profile/recovery-codes",
    access: "person",
    of: "self",
    changes: ["recovery_codes", "activity"],
    summary: "Ten new recovery codes, shown this once; the former ones are worth nothing any more",
    source: "docs/decisions/008; spec.md 14",
    input: z.object({ ...c.stepUp }),
    output: z.object({ codes: z.array(z.string()), madeAt: c.instant }),
    problems: [...c.stepUpProblems],
  }),
  recover: c.row({
    method: "POST",
    path: "/api/password/forgot/recovery",
    access: "public",
    of: "anyone",
    summary: "Chooses a new password with a recovery code, where no other code can be received",
    source: "spec §2 forgotPassword; docs/decisions/008",
    input: z.object({
      login: z.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
      code: c.text(40, 1),
      password: typedPassword,
    }),
    output: c.messageAnswer,
    problems: ["recovery_refused", "login_locked", "password_too_short", "password_too_common"],
  }),
  sessions: c.row({
    method: "GET",
    path: "/api/profile/sessions",
    access: "person",
    of: "self",
    reads: ["session", "money_proof"],
    summary: "One's open sessions: this one first, then the last used",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ items: z.array(openSession) }),
    problems: [],
  }),
  endSession: c.row({
    method: "POST",
    path: "/api/profile/sessions/:id/end",
    access: "person",
    of: { id: "session" },
    changes: ["session", "activity"],
    summary: "Ends one of one's sessions, at once",
    source: "docs/decisions/008",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    problems: [],
  }),
  endMoneyProof: c.row({
    method: "POST",
    path: "/api/profile/sessions/:id/money-proof/end",
    access: "person",
    of: { id: "session" },
    changes: ["money_proof", "activity"],
    summary: "Ends what a proof opened in one of one's sessions: its next payment asks again",
    source: "docs/decisions/008; spec.md 28",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    problems: [],
  }),
  endOtherSessions: c.row({
    method: "POST",
    path: "/api/profile/sessions/end-others",
    access: "person",
    of: "self",
    changes: ["session", "activity"],
    summary: "Ends all of one's sessions but this one, and forgets the browsers that were known",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ message: z.string(), ended: z.int() }),
    problems: [],
  }),
  alerts: c.row({
    method: "GET",
    path: "/api/profile/alerts",
    access: "person",
    of: "self",
    reads: ["alerts"],
    summary: "Logins from a new device that this browser, known before them, may answer for",
    source: "docs/decisions/008",
    input: c.emptyObject,
    output: z.object({ items: z.array(openAlert) }),
    problems: [],
  }),
  answerAlert: c.row({
    method: "POST",
    path: "/api/profile/alerts/:alert/answer",
    access: "person",
    of: { alert: "alert" },
    changes: ["alerts", "activity", "notices"],
    summary:
      "«\u00a0C'était moi\u00a0» asks no more; «\u00a0Pas moi\u00a0» does what the link of the alert does",
    source: "docs/decisions/008",
    input: z.object({ alert: c.uuid, mine: z.boolean() }),
    output: c.messageAnswer,
    problems: ["alert_over"],
  }),
  readAlert: c.row({
    method: "POST",
    path: "/api/login/alert",
    access: "public",
    of: { token: "secret" },
    summary:
      "The login, or the change of an address, that a link «\u00a0Ce n'était pas moi\u00a0» is about",
    source: "docs/decisions/008",
    input: z.object({ token: alertToken }),
    output: z.object({
      /** A login, or a new e-mail address or phone on the account. */
      about: z.enum(["login", "email", "sms"]),
      device: z.string(),
      address: z.nullable(z.string()),
      at: c.instant,
    }),
    problems: ["alert_over"],
  }),
  denyLogin: c.row({
    method: "POST",
    path: "/api/login/alert/deny",
    access: "public",
    of: { token: "secret" },
    summary: "«\u00a0Ce n'était pas moi\u00a0»: ends every session and demands a new password",
    source: "docs/decisions/008",
    input: z.object({ token: alertToken }),
    output: c.messageAnswer,
    problems: ["alert_over"],
  }),
} as const;
