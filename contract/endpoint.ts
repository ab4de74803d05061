// A row of the contract. Every call of the portal is one row: method, path, who may call, what goes in, what
// comes out, which problems it can answer. Server and web read the same rows.
import * as z from "zod/mini";
import { emailPattern, trimEmail } from "./email.ts";
import type { CompanyRight } from "./companies/roles.ts";
import type { ProblemCode } from "./errors.ts";
import { assertion } from "./identity/assertion.ts";
import { plainText } from "./plain-text.ts";
import type { ResourceKind } from "./resource-kinds.ts";
import type { Topic } from "./topics.ts";

/**
 * Who may call a row.
 * - `public`: anyone. - `session`: any open session, a forced password reset included.
 * - `reset`: only a session whose password must be changed first (spec §4, isReset).
 * - `machine`: a program of this machine, or one that bears METRICS_TOKEN; not found for others.
 * - `person`: any person whose session is whole. - `holder`: type 1. - `professional`: type 2.
 */
export type Access =
  | "public"
  | "machine"
  | "session"
  | "reset"
  | "person"
  | "holder"
  | "professional";

/**
 * The right that the row requires of the caller's roles in the company: one of `companyCan`; `anyRole` where
 * any role does, `anyone` where a professional number without a company may call.
 */
export type RowRight = CompanyRight | "anyRole" | "anyone";

/**
 * Whom or what a row is about. `anyone`: what all may see. `self`: the caller and those they act for.
 * `company`: the caller's. `provider`: the canteen service that the caller's company runs. Otherwise each
 * field of the input that names something by id (`orders[]`, `scans[].id` in lists) with its kind: a resource
 * that is not the caller's answers 404.
 */
export type Subject =
  | "anyone"
  | "self"
  | "company"
  | "provider"
  | Readonly<Record<string, ResourceKind>>;

/** Form of the answer; everything but `json` and `events` reaches the browser as a document. */
export type Reply = "json" | "pdf" | "csv" | "html" | "text" | "events" | "calendar" | "file";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Row {
  method: Method;
  /** Path with `:name` parameters; parameters, query (GET) or body (others) make one input object. */
  path: `/${string}`;
  access: Access;
  /** Required on rows for professionals, and only there. */
  right?: RowRight;
  of: Subject;
  /**
   * Topics that the answer shows: a screen reads it again once a call, or the live stream, changes one of
   * them.
   */
  reads?: readonly Topic[];
  /** Topics that the row changes for the caller's own screens. */
  changes?: readonly Topic[];
  /** One English line for the generated documentation. */
  summary: string;
  /** Section of the specification or decision that the row is based on. */
  source: string;
  input: z.ZodMiniType;
  output: z.ZodMiniType;
  /** The body is the file itself; the whole input is in path and query. */
  body?: "file";
  /** Largest size of that file, where it is not that of a document. */
  fileBytes?: number;
  reply?: Reply;
  /** HTTP status of success, 200 by default. */
  status?: 200 | 201 | 202;
  /**
   * Rate limit of one person, where their calls cost others: beyond it, `too_many_requests`. A row that
   * writes and names none has a generous one (`WRITES_PER_MINUTE`, server/http/write-rate.ts).
   */
  rate?: { max: number; seconds: number };
  /** Problems beyond those every row can answer (see `commonProblems`). */
  problems: readonly ProblemCode[];
  /** Client time-out in milliseconds where it is not the specification's 600 s (spec §9). */
  timeoutMs?: number;
}

/** Keeps a row's exact types while checking its shape. */
export const row = <const R extends Row>(
  value: R & (R["access"] extends "professional" ? { right: RowRight } : { right?: never }),
): R => value;

export type Input<R extends Row> = z.input<R["input"]>;
export type Parsed<R extends Row> = z.output<R["input"]>;
export type Output<R extends Row> = z.output<R["output"]>;

/** Problems that any row can answer, so that rows list only what is their own. */
export const commonProblems = [
  "invalid_input",
  "unauthenticated",
  "session_ended",
  "session_opposed",
  "forbidden",
  "reset_required",
  "not_found",
  "too_many_requests",
  "unavailable",
  "internal",
  "body_too_large",
  "unsupported_media_type",
  "malformed_body",
  "unknown_host",
  "request_too_slow",
] as const satisfies readonly ProblemCode[];

/** Every problem that a row can answer: its own, those of any row, and those of its `right`. */
export const problemsOf = ({ right, problems }: Pick<Row, "right" | "problems">): ProblemCode[] => [
  ...commonProblems,
  ...(right === undefined || right === "anyone" ? [] : (["company_missing"] as const)),
  ...(right === undefined || right === "anyone" || right === "anyRole"
    ? []
    : (["company_role"] as const)),
  ...problems,
];

/** Each field of a row's input that names something by id, with what it names. */
export const idFieldsOf = ({ of }: Pick<Row, "of">): Readonly<Record<string, ResourceKind>> =>
  typeof of === "string" ? {} : of;

/** The names of the `:parameters` of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z_]+)/g)].map((match) => match[1] as string);
}

// Bounds on every field: without them a fuzzed request reaches the database and comes back as a 5xx.
// NUL and lone surrogates are refused because PostgreSQL's text cannot hold them.
const clean = /^[^\0\ud800-\udfff]*$/u;

/** A secret of at most `max` characters, every one of which counts. */
export const secret = (max: number, min = 0) =>
  z.string().check(z.minLength(min), z.maxLength(max), z.regex(clean));
/**
 * Text that a person writes, without invisible characters: at most `max` characters that PostgreSQL can
 * store.
 */
export const text = (max: number, min = 0) =>
  z.string().check(z.overwrite(plainText), z.minLength(min), z.maxLength(max), z.regex(clean));
/** An address of messages, as a person types it. */
export const email = z
  .string()
  .check(z.overwrite(trimEmail), z.maxLength(254), z.email({ pattern: emailPattern }));
/** A phone number as typed; the server reads it (`phone_invalid`). */
export const phone = text(30, 4);
/** A card number: 10 digits, first digit 1 or 2, last digit Luhn (checked by `isCardnumber`). */
export const cardnumber = z
  .number()
  .check(z.int(), z.minimum(1_000_000_000), z.maximum(2_999_999_999));
/** The same where it travels in a path or a query string. */
export const cardnumberInPath = z.coerce
  .number()
  .check(z.int(), z.minimum(1_000_000_000), z.maximum(2_999_999_999));
/** Integer cents, at most what a wallet or an invoice could ever hold (10 million euros). */
export const cents = z.number().check(z.int(), z.minimum(-1_000_000_000), z.maximum(1_000_000_000));
/** A strictly positive amount in integer cents. */
export const amountCents = z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000));
export const uuid = z.uuid();
export const instant = z.iso.datetime({ offset: true });
/** A day from 1900 to 2199: PostgreSQL knows no year 0. */
export const day = z.iso.date().check(z.refine((on) => on >= "1900" && on < "2200"));
/** A month from 2000 to 2099, as YYYY-MM. */
export const month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/));
/** Position in a list paged by key: the id of the last item seen. */
export const before = z.optional(
  z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
);
export const limit = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)));
/** A page of a list: `next` goes into the next call's `before`, null at the end. */
export const page = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), next: z.nullable(z.number()) });
/** The fields with which a call refused by `code_required` is repeated (spec.md 14 and 29). */
export const stepUp = {
  challenge: z.optional(uuid),
  code: z.optional(z.string().check(z.regex(/^\d{6}$/))),
  /** Beside the code, where the refusal says `password`. */
  password: z.optional(secret(128, 1)),
  /** In place of the password, and of the code unless the refusal says `codeAlways`. */
  passkey: z.optional(assertion),
  /** The page can use passkeys: a refusal that one answers sends no code until the call comes without this. */
  preferPasskey: z.optional(z.literal(true)),
};
/** Problems of every row with a step-up, besides its own. */
export const stepUpProblems = [
  "code_required",
  "code_wrong",
  "code_expired",
  "code_sends_exhausted",
  "no_channel",
  "channel_too_new",
  "password_required",
  "wrong_password",
  "login_locked",
  "passkey_refused",
] as const;
/** Problems of a row whose code goes to an address that the call brings. */
export const newAddressProblems = [...stepUpProblems, "code_addresses_exhausted"] as const;
export const emptyObject = z.object({});
/** The secret in the fragment of a link to share: 32 random bytes in base64url. */
export const linkSecret = z.string().check(z.regex(/^[\w-]{43}$/));
export const messageAnswer = z.object({ message: z.string() });
/** The answer of rows whose reply is a document or a stream: no JSON to describe. */
export const document = z.unknown();

/** Luhn's check over the ten digits (server/cards/README.md#card-numbers). */
export function isCardnumber(value: number): boolean {
  const digits = String(value);
  if (!/^[12]\d{9}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
