// The session as the browser holds it: who the current user is, from login to its one end, in every
// tab. It never asks the server anything (web/app/transport/login.ts does) and knows no screen.
import type { Output } from "#contract/endpoint.ts";
import type { identity, User } from "#contract/identity/rows.ts";
import { spec } from "#contract/limits.ts";
import { claimDrafts, dropDrafts } from "#web/ui/draft.ts";
import { observed } from "./observed.ts";
import { otherTabs } from "./other-tabs.ts";
import { openSealedStorage } from "./sealed.ts";
import { decodeToken, dropToken, keepToken, readToken, tokenEndsAt } from "./token.ts";

/** The user of the login's answer, and one's own number while acting for a family card (spec §3). */
export type CurrentUser = User & { previousCardnumber: number };

/**
 * Why a session ended: the person asked, it was over (expired, ended elsewhere, garbled), its card was
 * opposed, or its token cookie was gone when a call needed it (spec §8).
 */
export type EndReason = "logout" | "ended" | "opposed" | "missing";

export const sealed = openSealedStorage();

/** The person of this tab, null before login and after the end. */
export const currentUser = observed<CurrentUser | null>(null);

// When the session ends, its screen is still drawn until the login replaces it: with the last user.
let last: CurrentUser | null = null;
currentUser.subscribe(() => {
  const user = currentUser.get();
  if (!user) return;
  last = user;
  claimDrafts(user.objectID);
});

/** The person of this tab, also after the end; null where nobody has been in. */
export const lastUser = (): CurrentUser | null => last;

const previousKey = "previousCardnumber";
const endListeners = new Set<(why: EndReason) => void>();
const replacedListeners = new Set<() => void>();

/** Keeps what a successful login answered: two cookies and the sealed user (spec §4). */
export async function openSession(answer: Output<typeof identity.login>): Promise<void> {
  const before = currentUser.get();
  if (before && before.objectID !== answer.data.objectID) forget();
  await keepUser(answer.data, keepToken(answer.token.jeton, answer.token.expires_in));
  otherTabs()?.postMessage("opened");
}

/** Keeps a renewed token and the user for as long as it lasts (spec.md 7). */
export async function keepRenewed(token: Output<typeof identity.renew>["token"]): Promise<void> {
  const endsAt = keepToken(token.jeton, token.expires_in);
  const user = currentUser.get();
  if (user) await keepUser(user, endsAt);
}

/**
 * Replaces the stored user, e.g. once isReset is over or the e-mail has changed. It is kept until `endsAt`
 * (milliseconds): of a token just given that is known, and cookies just written are not read back.
 */
export async function keepUser(user: User, endsAt = tokenEndsAt() ?? Date.now()): Promise<void> {
  const own = ownOf(user);
  await sealed.put(spec.userKey, own.objectID, own, endsAt);
  currentUser.set(asActing(own));
}

/** The stored user of the token in the cookie, null when there is none that opens. */
export async function storedUser(): Promise<CurrentUser | null> {
  const known = currentUser.get();
  if (known) return known;
  const user = (await sealed.get(spec.userKey, owner())) as User | null;
  if (!user) return null;
  currentUser.set(asActing(user));
  return currentUser.get();
}

/** The server said that a new password must be chosen first: the stored user says so from now on. */
export async function markReset(): Promise<void> {
  const user = await storedUser();
  if (user && !user.isReset) await keepUser({ ...user, isReset: true });
}

/**
 * Ends the session: cookies, sealed values and the current user go, the other tabs end too. Ten
 * refused calls end it once: nothing happens when it is already over.
 */
export function endSession(why: EndReason): void {
  if (readToken() === null && currentUser.get() === null) return;
  closeSession();
  if (begun !== null || why === "logout") dropDrafts();
  tellEnd(why);
}

let begun: "logout" | "stay" | null = null;

/**
 * This tab ends the session itself: the live stream, here or in another tab, may tell of it before the
 * answer does. `stay`: its screen goes on without a session. Null: it did not come to that.
 */
export function beginEnd(how: typeof begun): void {
  begun = how;
  if (how === "logout") otherTabs()?.postMessage("leaving");
}

function tellEnd(why: EndReason): void {
  if (begun !== "stay") for (const listener of endListeners) listener(begun ?? why);
  begun = null;
}

/** Ends the session in every tab without telling the listeners of this one. */
export function closeSession(): void {
  forget();
  otherTabs()?.postMessage("ended");
}

/** Calls back when the session ends, here or in another tab. */
export function onSessionEnd(listener: (why: EndReason) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** Calls back when another tab logged in as someone else: what is shown here is not theirs. */
export function onSessionReplaced(listener: () => void): () => void {
  replacedListeners.add(listener);
  return () => replacedListeners.delete(listener);
}

/** Forgets the person in this browser; what was typed in this tab waits for the same one. */
export function forget(): void {
  dropToken();
  sealed.wipe();
  sessionStorage.removeItem(previousKey);
  currentUser.set(null);
}

/**
 * Acts for a card of the family in this tab: the current card becomes that one, one's own is kept as
 * `previousCardnumber` (spec §3). What may be done is the server's to say, at each call.
 */
export function actFor(cardnumber: number): void {
  const user = currentUser.get();
  if (!user) return;
  const own = ownOf(user);
  if (cardnumber === own.cardnumber) sessionStorage.removeItem(previousKey);
  else sessionStorage.setItem(previousKey, `${own.cardnumber} ${cardnumber}`);
  currentUser.set(asActing(own));
}

/** Back to one's own card. */
export function actForOneself(): void {
  const user = currentUser.get();
  if (user) actFor(ownOf(user).cardnumber);
}

/** The account with its own card number, whichever card is the current one. */
function ownOf(user: User | CurrentUser): User {
  if (!("previousCardnumber" in user)) return user;
  const { previousCardnumber, ...rest } = user;
  return previousCardnumber > 0 ? { ...rest, cardnumber: previousCardnumber } : rest;
}

/** One's own card number, while acting for another card too. */
export const ownCardnumber = ({ cardnumber, previousCardnumber }: CurrentUser): number =>
  previousCardnumber || cardnumber;

/** The user as this tab acts. What another person left in its storage counts for nothing. */
function asActing(user: User): CurrentUser {
  const [own, acted] = (sessionStorage.getItem(previousKey) ?? "").split(" ").map(Number);
  const acting = own === user.cardnumber && acted !== undefined && Number.isSafeInteger(acted);
  return acting
    ? { ...user, cardnumber: acted, previousCardnumber: user.cardnumber }
    : { ...user, previousCardnumber: 0 };
}

/** The account that the token names: the stored user opens for nobody else. */
function owner(): string {
  try {
    return decodeToken(readToken()).sub ?? "";
  } catch {
    return "";
  }
}

/** Follows what the other tabs do to the session. */
export function watchTabs(): void {
  otherTabs()?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    // The person logs out there: the end, however this tab hears of it, is a logout here too.
    if (data === "leaving" && currentUser.get()) {
      begun ??= "logout";
      dropDrafts();
    }
    if (data === "ended" && currentUser.get()) {
      currentUser.set(null);
      sessionStorage.removeItem(previousKey);
      tellEnd("ended");
    }
    if (data === "opened") void followOpened();
  });
}

async function followOpened(): Promise<void> {
  const before = currentUser.get();
  const user = (await sealed.get(spec.userKey, owner())) as User | null;
  // The screens that are open stand on the user of before: never on nobody, not even for a moment.
  if (user && (!before || before.objectID === user.objectID)) currentUser.set(asActing(user));
  else if (before) for (const tell of replacedListeners) tell();
}
