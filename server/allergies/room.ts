// The allergies room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { keep, read, withdraw } from "./allergies.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("allergies", api.allergies, { read, keep, withdraw });

export const allergies: Room = {
  name: "allergies",
  routes: handlers,
};
