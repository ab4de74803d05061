// The ledger room: its nightly proof and the operator's commands.
import type { Room } from "#server/process/room.ts";
import { ledgerCommands } from "./operator.ts";
import { onVerified, verify } from "./ledger.ts";

export const ledger: Room = {
  name: "ledger",
  tasks: (deps) => ({
    verify_ledger: async () => {
      const { ok, checks } = await verify(deps.db);
      if (!ok) deps.log.fatal({ checks }, "the ledger does not balance");
      else deps.log.info("the ledger balances");
      for (const prove of onVerified) {
        const { ok: holds, lines } = await prove(deps);
        if (!holds) deps.log.fatal({ lines }, "the history does not hold");
      }
    },
  }),
  routines: [{ task: "verify_ledger", cron: "17 2 * * *" }],
  commands: ledgerCommands,
};
