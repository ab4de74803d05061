// The identity room: which function answers which row, its jobs, commands and hooks.
import { answerAlert, readOpenAlerts } from "./alert-answers.ts";
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { denyLogin, readAlert } from "./alerts.ts";
import { currentSession, logIn, logOut, renew } from "./login.ts";
import { passkeyChallenge, passkeyLogin } from "./passkey-login.ts";
import { accountCommands } from "./operator.ts";
import { addPasskey, passkeyOptions, passkeys, removePasskey, renamePasskey } from "./passkeys.ts";
import { changePassword, forgot, forgotReset, resetPassword } from "./password-rows.ts";
import { activity, changeEmail, changePhone, profile } from "./profile.ts";
import { makeRecoveryCodes, recover, recoveryCodes } from "./recovery.ts";
import { endMoneyProof, endOtherSessions, endSession, sessions } from "./sessions.ts";
import { sweep } from "./sweep.ts";
import { endTour } from "./tour.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("identity", api.identity, {
  login: logIn,
  logout: logOut,
  session: currentSession,
  renew,
  forgot,
  forgotReset,
  resetPassword,
  endTour,
  changePassword,
  profile,
  changeEmail,
  changePhone,
  activity,
  passkeyChallenge,
  passkeyLogin,
  passkeys,
  passkeyOptions,
  addPasskey,
  renamePasskey,
  removePasskey,
  recoveryCodes,
  makeRecoveryCodes,
  recover,
  sessions,
  endSession,
  endMoneyProof,
  endOtherSessions,
  alerts: readOpenAlerts,
  answerAlert,
  readAlert,
  denyLogin,
});

export const identity: Room = {
  name: "identity",
  routes: handlers,
  commands: accountCommands,
  tasks: (deps) => ({ sweep: () => sweep(deps) }),
  routines: [{ task: "sweep", cron: "*/10 * * * *" }],
};
