// Shared by the prerendered login and the application: its guard, its call, the way back.
import { api } from "#contract/api.ts";
import { conformityMention } from "#contract/content/legal.ts";
import { paths } from "#contract/paths.ts";
import { returnPath } from "#web/app/shared/addresses.ts";
import { decide } from "#web/app/shared/guards.ts";
import { call } from "#web/app/transport/api.ts";
import { login, recoverUser } from "#web/app/transport/login.ts";
import { closeSession, storedUser } from "#web/app/transport/session.ts";
import { readToken, stateOfToken } from "#web/app/transport/token.ts";

/** The guard of /login: a whole session goes on to the portal, a broken one ends (spec §2). */
export async function admit(): Promise<void> {
  const token = stateOfToken(readToken());
  const user = token === "valid" ? ((await storedUser()) ?? (await recoverUser())) : null;
  const verdict = decide({ kind: "guest" }, { token, user });
  if (verdict.end) closeSession();
  if (verdict.to !== null) location.replace(verdict.to);
}

/** Logs in and goes where the person was sent away from, else to the dashboard (spec.md 3). */
export async function enter(number: string, password: string): Promise<void> {
  const user = await login(number, password);
  if (user) location.replace(returnPath(location.search, paths.dashboard));
}

/** After a login in another tab: on to where this one was sent away from. */
export async function follow(): Promise<void> {
  if (await storedUser()) location.replace(returnPath(location.search, paths.dashboard));
}

/**
 * Shows what this installation is: what it declares of its accessibility and, in demo mode only, the
 * demo cards.
 */
export async function showSettings(): Promise<void> {
  const settings = await call(api.portal.settings, {}, { quiet: true }).catch(() => null);
  const mention = document.getElementById("conformity");
  if (settings && mention) mention.textContent = conformityMention(settings.accessibility);
  if (settings?.demo) (await import("./login-demo.ts")).showDemo();
}
