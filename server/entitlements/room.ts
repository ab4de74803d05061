// The entitlements room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { listProofs, sendProof, withdrawProof } from "./proofs.ts";
import { entitlementTasks, entitlementRoutines } from "./entitlements.ts";
import { entitlementCommands } from "./operator.ts";
import { homeToDos } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { proofToDos } from "./to-dos.ts";

const handlers = routes("entitlements", api.entitlements, {
  list: ({ deps, caller }) => listProofs(deps, caller.personId),
  send: sendProof,
  withdraw: withdrawProof,
});

export const entitlements: Room = {
  name: "entitlements",
  routes: handlers,
  tasks: entitlementTasks,
  routines: entitlementRoutines,
  commands: entitlementCommands,
  hooks: [attach({ homeToDos }, proofToDos)],
};
