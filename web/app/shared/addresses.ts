// Search parameters of the login: the way back after it, and the reason for it.
import { localPath } from "#contract/local-path.ts";
import { searchNames } from "#contract/paths.ts";

/** The way back is a search parameter of the login, so that it survives the page's own reloads. */
export const returnParameter = searchNames.returnTo;

/** What the login says of how one got there; the words are the login page's. */
export const endParameter = searchNames.end;
export const ends = {
  logout: "deconnexion",
  ended: "session",
  opposed: "opposition",
  missing: "jeton",
} as const;

/** Where to go after the login: the page one was sent away from, on this very site, else home. */
export function returnPath(search: string, home: string): string {
  const path = new URLSearchParams(search).get(returnParameter);
  return (path && localPath(path)) || home;
}
