// Watched values of the application as React sees them.
import { useSyncExternalStore } from "react";
import { connectivity } from "./connectivity.ts";
import type { Observed } from "./observed.ts";
import { loading } from "./progress.ts";
import { type CurrentUser, currentUser, lastUser } from "./session.ts";

/** The value now, and again at each change. */
export const useObserved = <T>({ get, subscribe }: Pick<Observed<T>, "get" | "subscribe">): T =>
  useSyncExternalStore(subscribe, get);

/** The current user. Only for screens behind a guard, which proved that there is one. */
export function useUser(): CurrentUser {
  const user = useObserved(currentUser) ?? lastUser();
  if (!user) throw new Error("this screen stands behind no guard");
  return user;
}

export const useOnline = (): boolean => useObserved(connectivity);

/** The specification's Loading flag. */
export const useLoading = (): boolean => useObserved(loading);
