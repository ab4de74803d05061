// The partnerships room: which function answers which row.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { answerInvitation, invitePartner, withdrawInvitation } from "./invitations.ts";
import { readMessages, writeMessage } from "./messages.ts";
import { listPartnerships, readPartnership } from "./partnerships.ts";
import { answerTerms, endPartnership, proposeTerms } from "./terms.ts";

const handlers = routes("partnerships", api.partnerships, {
  list: listPartnerships,
  invite: invitePartner,
  one: readPartnership,
  answer: answerInvitation,
  withdraw: withdrawInvitation,
  end: endPartnership,
  propose: proposeTerms,
  answerTerms,
  messages: readMessages,
  write: writeMessage,
});

export const partnerships: Room = { name: "partnerships", routes: handlers };
