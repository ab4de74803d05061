// The settlement room: which function answers which row, its commands, and its proof beside the ledger's.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { onVerified } from "#server/ledger/ledger.ts";
import { attach, type Room } from "#server/process/room.ts";
import { linesCsv, readLines } from "./lines.ts";
import { settlementCommands } from "./operator.ts";
import { statementPdf } from "./statement-pdf.ts";
import { readSettlement, readSettlements } from "./statement.ts";
import { readSummary, readTerms } from "./summary.ts";
import { proveSettlements } from "./verification.ts";

const handlers = routes("settlement", api.settlement, {
  summary: readSummary,
  terms: readTerms,
  list: readSettlements,
  one: readSettlement,
  lines: readLines,
  pdf: statementPdf,
  csv: linesCsv,
});

export const settlement: Room = {
  name: "settlement",
  routes: handlers,
  commands: settlementCommands,
  hooks: [attach({ onVerified }, proveSettlements)],
};
