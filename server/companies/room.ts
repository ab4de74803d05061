// The companies room: which function answers which row, its commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { companyHome, firstSteps } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { bankHome, bankStep } from "./bank-accounts.ts";
import {
  changeBankAccount,
  confirmBankAccount,
  readBankAccount,
  undoBankAccount,
} from "./bank-change.ts";
import { closeProCard, previewCardClosing } from "./card-closing.ts";
import { listPeople, setRoles } from "./people.ts";
import { readCompany } from "./companies.ts";
import { companyCommands } from "./operator.ts";
import { assignProCard, listProCards, proCardLimits, setProCardLimits } from "./pro-cards.ts";
import { proCardCommands } from "./pro-cards-operator.ts";

const handlers = routes("companies", api.companies, {
  mine: async ({ caller, deps }) => ({ company: await readCompany(deps.db, caller.personId) }),
  people: listPeople,
  setRoles,
  bankAccount: readBankAccount,
  changeBankAccount,
  confirmBankAccount,
  undoBankAccount,
  proCards: listProCards,
  proCardLimits,
  setProCardLimits,
  assignProCard,
  proCardClosing: previewCardClosing,
  closeProCard,
});

export const companies: Room = {
  name: "companies",
  routes: handlers,
  commands: [...companyCommands, ...proCardCommands],
  hooks: [attach({ companyHome }, bankHome), attach({ firstSteps }, bankStep)],
};
