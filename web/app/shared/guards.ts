// Who may enter which screen, decided in the specification's order: token, stored user, isReset, type
// (spec §2, spec.md 2). Pure: the router brings the facts and obeys the verdict, so a forbidden
// screen is never shown, not even for a moment.
import { paths } from "#contract/paths.ts";
import type { TokenState } from "#web/app/transport/token.ts";

/**
 * - `open`: anyone. - `guest`: login and forgot-password, not for those who are in.
 * - `reset`: only with a forced password reset. - `person`: a whole session, of a type if one is told;
 *   another type is sent to `otherwise`.
 */
export type Guard =
  | { kind: "open" }
  | { kind: "guest" }
  | { kind: "reset" }
  | { kind: "person" }
  | { kind: "person"; type: 1 | 2; otherwise: string };

export interface Facts {
  token: TokenState;
  /** The stored user, null when none opens. */
  user: { type: 1 | 2; isReset: boolean } | null;
}

export interface Verdict {
  /** Where to go instead; null to enter. */
  to: string | null;
  /** The session must end first: its token is garbled, past, or without a stored user. */
  end: boolean;
  /** Nobody was logged in, or a password is due first: both may bring the person back here (spec.md 3). */
  comeBack: boolean;
}

const enter: Verdict = { to: null, end: false, comeBack: false };
const go = (to: string): Verdict => ({ to, end: false, comeBack: false });

/** The verdict for a screen. */
export function decide(guard: Guard, { token, user }: Facts): Verdict {
  if (guard.kind === "open") return enter;
  const inside = token === "valid" && user !== null;
  const end = token !== "missing" && !inside;
  if (guard.kind === "guest") return inside ? go(paths.dashboard) : { ...enter, end };
  if (!inside) return { to: paths.login, end, comeBack: true };
  if (guard.kind === "reset") return user.isReset ? enter : go(paths.dashboard);
  if (user.isReset) return { ...go(paths.resetPassword), comeBack: true };
  if ("type" in guard && guard.type !== user.type) return go(guard.otherwise);
  return enter;
}
