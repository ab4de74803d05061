// What stops the server from starting or running on: one French sentence for the operator, who reads
// it in a terminal, and the exit code that a service manager sees.

/** Exit codes follow sysexits.h where it has a word for the case. */
export const exitCodes = {
  badSetting: 78,
  unavailable: 69,
  portTaken: 75,
  dataFolder: 74,
  unsupported: 72,
} as const;

export class StartProblem extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number, cause?: unknown) {
    super(sentence, { cause });
    this.name = "StartProblem";
    this.exitCode = exitCode;
  }
}

/** Another program's message, fit to stand inside a sentence of ours. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 300);
