// A session in use is renewed silently before its hour, and its end is announced five minutes ahead
// when it cannot be, or when nobody seems to be there (spec.md 7).
import { api } from "#contract/api.ts";
import { session as limits, spec } from "#contract/limits.ts";
import { call } from "./api.ts";
import { observed } from "./observed.ts";
import { currentUser, endSession, keepRenewed } from "./session.ts";
import { tokenEndsAt } from "./token.ts";

export interface SessionEnd {
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether the person can still stay: then the announcement offers it. */
  renewable: boolean;
}

/** The announced end of the session, null while it is far. */
export const sessionEnd = observed<SessionEnd | null>(null);

const checkEveryMs = 10_000;
let renewable = true;
let usedAt = 0;
let renewing = false;

/** Watches the session until the answered function is called. */
export function watchSession(): () => void {
  const used = () => (usedAt = Date.now());
  const look = () => void check();
  used();
  const timer = setInterval(look, checkEveryMs);
  addEventListener("pointerdown", used);
  addEventListener("keydown", used);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    removeEventListener("pointerdown", used);
    removeEventListener("keydown", used);
    document.removeEventListener("visibilitychange", look);
    renewable = true;
    sessionEnd.set(null);
  };
}

/** Does what is due now for the session: its renewal, its announcement, its end. */
export async function check(now = Date.now()): Promise<void> {
  if (!currentUser.get()) return;
  // The cookie goes by itself at its hour: then the session is over, as it is once past its expiry.
  const endsAt = tokenEndsAt();
  if (endsAt === null || endsAt <= now) return endSession("ended");
  const left = endsAt - now;
  const used = usedAt > endsAt - spec.cookieLifetimeSeconds * 1000;
  if (renewable && used && left <= limits.renewBeforeSeconds * 1000) await renew();
  announce(now);
}

/** Renews the session now; also what the announcement's button does. */
export async function renew(): Promise<void> {
  if (renewing) return;
  renewing = true;
  try {
    const renewed = await call(api.identity.renew, {}, { quiet: true });
    await keepRenewed(renewed.token);
    renewable = renewed.renewable;
    // A renewal is no use: a screen left alone comes to its announced end.
    announce(Date.now());
  } catch {
    // Without an answer the next look tries again; a refusal has ended the session already.
  } finally {
    renewing = false;
  }
}

function announce(now: number): void {
  const endsAt = tokenEndsAt();
  const near = endsAt !== null && endsAt - now <= limits.warnBeforeSeconds * 1000;
  const said = sessionEnd.get();
  if (!near) sessionEnd.set(null);
  else if (said?.at !== endsAt || said.renewable !== renewable) {
    sessionEnd.set({ at: endsAt, renewable });
  }
}
