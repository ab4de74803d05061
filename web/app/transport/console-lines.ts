/* oxlint-disable no-console -- the specification words these console lines itself (spec §2, §8) */
// The only place of the portal that writes to the browser's console.
import { consoleLines } from "#contract/texts.ts";

export const logTokenExpired = (): void => console.warn(consoleLines.tokenExpired);

export const logTokenUndecodable = (reason: unknown): void =>
  console.error(consoleLines.tokenUndecodable, reason);

export const logWorkerRegistered = (): void => console.log(consoleLines.workerRegistered);

export const logWorkerFailed = (reason: unknown): void =>
  console.error(consoleLines.workerFailed, reason);
