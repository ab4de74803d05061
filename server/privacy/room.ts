// The privacy room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { attach, type Room } from "#server/process/room.ts";
import { profileFacts } from "#server/identity/identity.ts";
import { homeToDos } from "#server/portal/portal.ts";
import { askClosure, cancelClosure, closingToDos, setClosureIban } from "./closing.ts";
import { askExport, download } from "./exports.ts";
import {
  ownDataFacts,
  privacyRoutines,
  privacyTasks,
  privacyView,
  retentionView,
} from "./privacy.ts";
import { historyCommands } from "./history-operator.ts";
import { privacyCommands } from "./operator.ts";

const handlers = routes("privacy", api.privacy, {
  read: privacyView,
  retention: async () => retentionView(),
  askExport,
  download,
  close: askClosure,
  setClosureIban,
  keepOpen: cancelClosure,
});

export const privacy: Room = {
  name: "privacy",
  routes: handlers,
  tasks: privacyTasks,
  routines: privacyRoutines,
  commands: [...privacyCommands, ...historyCommands],
  hooks: [attach({ homeToDos }, closingToDos), attach({ profileFacts }, ownDataFacts)],
};
