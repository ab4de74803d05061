// The invoices room: which function answers which row, its commands and hooks.
import type { Room } from "#server/process/room.ts";

export const invoices: Room = { name: "invoices" };
