// The allergies room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { profileFacts } from "#server/identity/identity.ts";
import { attach, type Room } from "#server/process/room.ts";
import { allergiesDeclared, keep, read, withdraw } from "./allergies.ts";

const handlers = routes("allergies", api.allergies, { read, keep, withdraw });

export const allergies: Room = {
  name: "allergies",
  routes: handlers,
  hooks: [attach({ profileFacts }, allergiesDeclared)],
};
