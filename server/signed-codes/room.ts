// The signed-codes room: which function answers which row, and its jobs.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { publicKeys, revocationList, signedCodeRoutines, signedCodeTasks } from "./signed-codes.ts";

const handlers = routes("signedCodes", api.signedCodes, {
  keys: ({ deps }) => publicKeys(deps.db),
  revocations: ({ deps }) => revocationList(deps),
});

export const signedCodes: Room = {
  name: "signed-codes",
  routes: handlers,
  tasks: signedCodeTasks,
  routines: signedCodeRoutines,
};
