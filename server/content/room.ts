// The content room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { answerOf, questionsFor, vote } from "./content.ts";
import { legalText } from "./legal.ts";
import { legalCommands } from "./legal-operator.ts";
import { contentCommands } from "./operator.ts";
import { synonymCommands } from "./synonyms-operator.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("content", api.content, {
  legal: ({ input, deps }) => legalText(deps.db, input.page),
  faq: ({ input, caller, deps }) => questionsFor(deps, caller.type, input.q),
  faqAnswer: ({ input, caller, deps }) => answerOf(deps, caller, input.id),
  faqVote: ({ input, caller, deps }) => vote(deps, caller, input),
});

export const content: Room = {
  name: "content",
  routes: handlers,
  commands: [...contentCommands, ...synonymCommands, ...legalCommands],
};
