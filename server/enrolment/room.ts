// The enrolment room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { askFirstCard, requestsOf, withdrawRequest } from "./enrolment.ts";
import { batchCommands } from "./card-batches-operator.ts";
import { holderCommands } from "./holders-operator.ts";
import { enrolmentCommands } from "./operator.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("enrolment", api.enrolment, {
  list: async ({ deps, caller }) => ({
    items: await requestsOf(deps.db, caller.personId, deps.now()),
  }),
  ask: askFirstCard,
  withdraw: withdrawRequest,
});

export const enrolment: Room = {
  name: "enrolment",
  routes: handlers,
  commands: [...enrolmentCommands, ...holderCommands, ...batchCommands],
};
