// The caller, as the rows of the session and the person are at this moment.
import type { FastifyRequest } from "fastify";
import type { CompanyRole } from "#contract/companies/roles.ts";
import type { RowRight } from "#contract/endpoint.ts";
import type { Deps } from "#server/process/deps.ts";

/** A professional's place in a company. */
export interface Membership {
  companyId: string;
  /** Legal name of the company. */
  name: string;
  roles: CompanyRole[];
}

export interface Caller {
  sessionId: string;
  personId: number;
  objectId: string;
  /** 1 individual, 2 professional (spec §1). */
  type: 1 | 2;
  cardnumber: number;
  name: string;
  /** The company that a professional acts for, with their roles there; null without one. */
  company: Membership | null;
  mustReset: boolean;
  /** The portal's origin as the caller's browser sees it: passkeys sign for it. */
  siteOrigin: string;
  /** Where the call comes from, for the limiter. */
  address: string;
}

/** Where a call comes from, for the limiter, the audit trail and the cookie binding. */
export interface Origin {
  address: string;
  agent: string;
  /** True when a browser page of this very site made the call (Sec-Fetch-Site). */
  samePage: boolean;
  requestId: string;
}

/** What a room's function needs of a call: who calls, and the parsed input. */
export interface PersonCall<Input> {
  deps: Deps;
  caller: Caller;
  input: Input;
}

/** The same with the origin of the call, for functions that write to the audit trail. */
export interface AuditedCall<Input> extends PersonCall<Input> {
  origin: Origin;
}

/** The company that a call is about, with the right that its row requires. */
export interface CallCompany extends Membership {
  right: RowRight;
}

/** A call of a row that requires a right in the caller's company: a caller without one is refused before. */
export interface CompanyCall<Input> extends AuditedCall<Input> {
  company: CallCompany;
}

/** The rows of a session and its person, in one read. */
export interface SessionState {
  session_id: string;
  binding: Buffer | null;
  ends_at: Date;
  ended_at: Date | null;
  ended_why: string | null;
  seen_at: Date;
  person_id: number;
  object_id: string;
  type: 1 | 2;
  name: string;
  must_reset: boolean;
  disabled_at: Date | null;
  cardnumber: number;
  company: Membership | null;
}

/**
 * Reads a session and, in the same statement, the answer of the call; undefined when the request does not
 * allow it. The answer is used only if the session is valid.
 */
export type ReadAlong = (
  deps: Deps,
  request: FastifyRequest,
) => ((sessionId: string) => Promise<SessionState | undefined>) | undefined;
