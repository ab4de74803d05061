// What the prerendered login shares with the application: its guard, its call, the way back.
import { api } from "#contract/api.ts";
import { call } from "../api.ts";
import { decide, paths } from "../guards.ts";
import { login, recoverUser } from "../login.ts";
import { returnPath } from "../paths.ts";
import { closeSession, storedUser } from "../session.ts";
import { readToken, stateOfToken } from "../token.ts";

/** The guard of /login: a whole session goes on to the portal, a broken one ends (spec §2). */
export async function admit(): Promise<void> {
  const token = stateOfToken(readToken());
  const user = token === "valid" ? ((await storedUser()) ?? (await recoverUser())) : null;
  const verdict = decide({ kind: "guest" }, { token, user });
  if (verdict.end) closeSession();
  if (verdict.to !== null) location.replace(verdict.to);
}

/** Logs in and goes where the person was sent away from, else to the dashboard (décision 3). */
export async function enter(number: string, password: string): Promise<void> {
  const user = await login(number, password);
  if (user) location.replace(returnPath(location.search, paths.home));
}

/** In demo mode, and only there, loads what offers the demo cards. */
export async function offerDemo(): Promise<void> {
  const settings = await call(api.portal.settings, {}, { quiet: true }).catch(() => null);
  if (settings?.demo) (await import("./login-demo.ts")).showDemo();
}
