// The loyalty room: which function answers which row, and its jobs.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { readMovements, readPoints } from "./balances.ts";
import { loyaltyRoutines, loyaltyTasks } from "./loyalty.ts";

const handlers = routes("loyalty", api.loyalty, { points: readPoints, movements: readMovements });

export const loyalty: Room = {
  name: "loyalty",
  routes: handlers,
  tasks: loyaltyTasks,
  routines: loyaltyRoutines,
};
