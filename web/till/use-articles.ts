// The price list of the till: the server's, or what this device keeps of it for its hours without network.
import { api } from "#contract/api.ts";
import type { TillArticle } from "#contract/till/articles.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useObserved, useOnline } from "#web/app/transport/use-observed.ts";
import { tillKit } from "./till-kit.ts";

const none: readonly TillArticle[] = [];

/** `isKnown` once either has said it: keys that come later would move those under a finger. */
export function useArticles(): { articles: readonly TillArticle[]; isKnown: boolean } {
  const online = useOnline();
  const { data, isError } = useAnswer(api.till.articles, {}, { enabled: online });
  const kit = useObserved(tillKit);
  const articles = data?.items ?? kit?.articles;
  return { articles: articles ?? none, isKnown: articles !== undefined || isError };
}
