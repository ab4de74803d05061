// What the seals bring to the server: their proof beside the ledger's, by command and each night.
import { onVerified } from "#server/ledger/ledger.ts";
import { attach, type Room } from "#server/process/room.ts";
import { proveSeals } from "./seals.ts";

export const seals: Room = {
  name: "seals",
  hooks: [attach({ onVerified }, proveSeals)],
};
