// The cards room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import {
  activate,
  activateFirstCard,
  cardRoutines,
  cardTasks,
  oppose,
  reportDamage,
  resume,
  suspend,
} from "./cards.ts";
import { askFirstCard, requestsOf, withdrawRequest } from "./first-card-requests.ts";
import { batchCommands } from "./card-batches-operator.ts";
import { firstCardCommands } from "./first-card-operator.ts";
import { holderCommands } from "./holders-operator.ts";
import { qrOf } from "./qr.ts";
import { cardsOf } from "./list.ts";
import { cardCommands } from "./operator.ts";
import { onPasswordChosen } from "#server/identity/identity.ts";
import { attach, type Room } from "#server/process/room.ts";

const handlers = routes("cards", api.cards, {
  list: async ({ caller, deps }) => ({ items: await cardsOf(deps.db, caller.personId) }),
  qr: qrOf,
  suspend,
  resume,
  oppose,
  reportDamage,
  activate,
});

const firstCardHandlers = routes("enrolment", api.enrolment, {
  list: async ({ deps, caller }) => ({
    items: await requestsOf(deps.db, caller.personId, deps.now()),
  }),
  ask: askFirstCard,
  withdraw: withdrawRequest,
});

export const cards: Room = {
  name: "cards",
  routes: [...handlers, ...firstCardHandlers],
  tasks: cardTasks,
  routines: cardRoutines,
  commands: [...cardCommands, ...firstCardCommands, ...holderCommands, ...batchCommands],
  hooks: [attach({ onPasswordChosen }, activateFirstCard)],
};
