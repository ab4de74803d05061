// A reason for which the server cannot start or continue: one French sentence for the operator, who reads it
// in a terminal, and the exit code that a service manager sees.

/** Exit codes follow sysexits.h where it has one for the case. */
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

/** Another program's message on one line, to quote in a sentence. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 300);
