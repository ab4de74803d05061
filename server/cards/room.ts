// The cards room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import {
  activate,
  activateFirstCard,
  oppose,
  qrOf,
  reportDamage,
  resume,
  suspend,
} from "./cards.ts";
import { cardsOf } from "./list.ts";
import { cardTasks, cardRoutines } from "./cards.ts";
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

export const cards: Room = {
  name: "cards",
  routes: handlers,
  tasks: cardTasks,
  routines: cardRoutines,
  commands: cardCommands,
  hooks: [attach({ onPasswordChosen }, activateFirstCard)],
};
