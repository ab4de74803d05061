// The checkout has no rows of its own: rooms that sell call it, and hook their sales on payments.
import type { Room } from "#server/process/room.ts";

export const checkout: Room = { name: "checkout" };
