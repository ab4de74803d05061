// The commuting room: which function answers which row, its jobs and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { onPassPriced, onSharedPassBought } from "#server/passes/passes.ts";
import { homeToDos } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { readPlan, readPlans, setShare } from "./commuting.ts";
import {
  announceInvitation,
  endEnrolment,
  enrol,
  readEnrolments,
  resumeEnrolment,
  suspendEnrolment,
} from "./enrolments.ts";
import { commutingCommands } from "./operator.ts";
import {
  answerEnrolment,
  commutingToDos,
  leaveEmployer,
  readOwnEnrolments,
} from "./own-enrolments.ts";
import { payrollCsv, readPayroll } from "./payroll.ts";
import { bookShare, shareOf } from "./shares.ts";
import { clearPaidMonths, invoiceMonths } from "./statements.ts";

const handlers = routes("commuting", api.commuting, {
  plans: readPlans,
  plan: readPlan,
  setShare,
  enrolments: readEnrolments,
  enrol,
  suspend: suspendEnrolment,
  resume: resumeEnrolment,
  end: endEnrolment,
  payroll: readPayroll,
  payrollCsv,
  mine: readOwnEnrolments,
  answer: answerEnrolment,
  leave: leaveEmployer,
});

export const commuting: Room = {
  name: "commuting",
  routes: handlers,
  commands: commutingCommands,
  tasks: (deps) => ({
    announce_commuting_invitation: ({ enrolment }) => announceInvitation(deps, String(enrolment)),
    invoice_commuting: () => invoiceMonths(deps),
    clear_commuting: () => clearPaidMonths(deps),
  }),
  // The night after a month is over; a month that could not be invoiced is tried again the next night.
  routines: [
    { task: "invoice_commuting", cron: "40 2 * * *" },
    { task: "clear_commuting", cron: "20 * * * *" },
  ],
  hooks: [
    attach({ onPassPriced }, shareOf),
    attach({ onSharedPassBought }, bookShare),
    attach({ homeToDos }, commutingToDos),
  ],
};
