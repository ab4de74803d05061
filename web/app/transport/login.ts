// Coming in and going out: the calls of the session. The prerendered login uses this file too, so it
// stays free of React and of the router.
import { api } from "#contract/api.ts";
import type { User } from "#contract/identity/rows.ts";
import { texts } from "#contract/texts.ts";
import { ApiProblem, call } from "./api.ts";
import {
  beginEnd,
  type CurrentUser,
  endSession,
  keepUser,
  openSession,
  sealed,
} from "./session.ts";

/**
 * Logs in with a card number as typed and a password (spec §5). An undefined number sends nothing and
 * returns nothing. Answers the user; throws ApiProblem with the server's message, or the
 * specification's text when the server gave none or did not answer.
 */
export async function login(
  number: string | number | undefined,
  password: string,
): Promise<User | undefined> {
  if (number === undefined) return undefined;
  const integer = Number.parseInt(String(number).replaceAll(/\s/g, ""), 10);
  if (!Number.isSafeInteger(integer)) {
    throw new ApiProblem("wrong_credentials", texts.loginFailed);
  }
  try {
    const answer = await call(api.identity.login, { login: integer, password });
    await openSession(answer);
    return answer.data;
  } catch (error) {
    if (error instanceof ApiProblem && error.message !== texts.requestFailed) throw error;
    const { code, status } = error instanceof ApiProblem ? error : { code: "no_answer", status: 0 };
    throw new ApiProblem(code as ApiProblem["code"], texts.loginFailed, { status });
  }
}

/**
 * Logs out: the server forgets the session, then this browser does, whatever the server answered. The login
 * is next, or with `stay` whatever the screen leads to by itself.
 */
export async function logout(next: "logout" | "stay" = "logout"): Promise<void> {
  beginEnd(next);
  try {
    await call(api.identity.logout, {});
  } catch {
    // Without an answer the session still ends here; on the server it ends at its hour.
  }
  endSession("logout");
}

/**
 * The current user from the server, for browsers where the stored one cannot outlive a page
 * (spec.md 1). Null where the stored user is durable: there its absence ends the session.
 */
export async function recoverUser(): Promise<CurrentUser | null> {
  if (await sealed.durable()) return null;
  try {
    const { data } = await call(api.identity.session, {});
    await keepUser(data);
    return { ...data, previousCardnumber: 0 };
  } catch {
    return null;
  }
}
