import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { answerOf, questionsFor, vote } from "./content.ts";

export const contentRoutes = routes("content", api.content, {
  faq: ({ input, caller, deps }) => questionsFor(deps.db, caller.type, input.q),
  faqAnswer: ({ input, caller, deps }) => answerOf(deps.db, caller, input.id),
  faqVote: ({ input, caller, deps }) => vote(deps, caller, input),
});
