// Fetches what a till needs to charge without network, and stores it sealed to its cashier for a day.
import { api } from "#contract/api.ts";
import { revocationsPurpose } from "#contract/signed-codes/kinds.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { tillKitName } from "#web/app/shared/counter-list.ts";
import { isSignedText } from "#web/signed-codes/read-code.ts";
import { noteAnswer } from "#web/app/transport/server-answers.ts";
import { lastUser, sealed } from "#web/app/transport/session.ts";
import { type TillKit, tillKit } from "./till-kit.ts";

/** One kept by an earlier version has no price list. */
const noArticles: Pick<TillKit, "articles"> = { articles: [] };
const owner = () => lastUser()?.objectID ?? "";

/** Reads what this device stored for this cashier. */
export async function openKit(): Promise<void> {
  const stored = (await sealed.get(tillKitName, owner())) as TillKit | null;
  // One kept by an earlier version knows no roles.
  if (!tillKit.get())
    tillKit.set(stored && "roles" in stored ? { ...noArticles, ...stored } : null);
}

/**
 * Fetches a fresh one. It is left as it was without an answer, in a browser that cannot verify codes, and
 * in one that keeps nothing: a charge would be lost there.
 */
export async function refreshKit(): Promise<void> {
  const quiet = { quiet: true };
  try {
    const [list, { keys }, { items }, { company }, articles] = await Promise.all([
      call(api.signedCodes.revocations, {}, quiet),
      call(api.signedCodes.keys, {}, quiet),
      call(api.till.counters, {}, quiet),
      call(api.companies.mine, {}, quiet),
      call(api.till.articles, {}, quiet),
    ]);
    noteAnswer(null);
    queryClient.setQueryData(keyOf(api.till.counters, {}), { items });
    queryClient.setQueryData(keyOf(api.companies.mine, {}), { company });
    queryClient.setQueryData(keyOf(api.till.articles, {}), articles);
    const isOurs = await isSignedText(keys, revocationsPurpose, list);
    if (!isOurs || !company || !(await sealed.durable())) return;
    const { at, until, revoked } = JSON.parse(list.payload) as Pick<
      TillKit,
      "at" | "until" | "revoked"
    >;
    const kit: TillKit = {
      at,
      until,
      revoked,
      keys,
      counters: items,
      articles: articles.items,
      roles: company.roles,
    };
    tillKit.set(kit);
    await sealed.put(tillKitName, owner(), kit, Date.parse(until));
  } catch (problem) {
    // What is kept serves until its day is over.
    if (problem instanceof ApiProblem) noteAnswer(problem);
  }
}
