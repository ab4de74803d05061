// The memberships room: which function answers which row, its job, commands and hook.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { homeToDos } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { readMembership, sweepMemberships } from "./memberships.ts";
import { membershipCommands } from "./operator.ts";
import { addDocument, removeDocument, writeCompany, writeRepresentative } from "./parts.ts";
import {
  answerMembership,
  discardMembership,
  proveAddress,
  submitMembership,
} from "./submission.ts";
import { membershipToDos } from "./to-dos.ts";

const handlers = routes("memberships", api.memberships, {
  read: readMembership,
  company: writeCompany,
  representative: writeRepresentative,
  addDocument,
  removeDocument,
  prove: proveAddress,
  submit: submitMembership,
  answer: answerMembership,
  discard: discardMembership,
});

export const memberships: Room = {
  name: "memberships",
  routes: handlers,
  tasks: (deps) => ({ sweep_memberships: () => sweepMemberships(deps) }),
  routines: [{ task: "sweep_memberships", cron: "40 2 * * *" }],
  commands: membershipCommands,
  hooks: [attach({ homeToDos }, membershipToDos)],
};
