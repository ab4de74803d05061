// The type of a room: each `server/<room>/room.ts` exports one value of it, with its routes, jobs,
// operator commands and hooks. rooms.ts lists them in order.
import { problemOf } from "#server/http/errors.ts";
import type { Route } from "#server/http/serve.ts";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "./deps.ts";

/** A task takes the payload that it was enqueued with; it throws to be run again later. */
export type Task = (payload: Record<string, unknown>) => Promise<unknown>;

/** Dependencies of an operator command. */
export type OperatorDeps = Pick<Deps, "db" | "now" | "send" | "enqueue" | "config" | "log"> & {
  /** Shows the progress of a long operation, where the terminal is interactive. */
  progress?: (line: string) => void;
};

/** Lines that a command prints; `ok` is false when a check failed (exit code 1). */
export interface CommandResult {
  ok: boolean;
  lines: readonly string[];
}

/** A command of `npm run operator -- <name> <arguments>`. */
export interface OperatorCommand {
  name: string;
  /** The arguments after the name, as the list of commands shows them; `[in brackets]` are optional. */
  arguments: readonly string[];
  /** Its purpose, in French. */
  says: string;
  /** `operator` is the account of the operating system, recorded in the audit trail. */
  run(deps: OperatorDeps, args: readonly string[], operator: string): Promise<CommandResult>;
}

/** The lines that `work` gives; a refusal, also by a constraint, is one French line, and not ok. */
export async function commandResult(
  work: () => Promise<readonly string[]>,
): Promise<CommandResult> {
  try {
    return { ok: true, lines: await work() };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === "internal") throw error;
    return { ok: false, lines: [withoutPageAdvice(problem.message)] };
  }
}

/** The message without its last sentence where that sends to a page, which a terminal does not have. */
function withoutPageAdvice(message: string): string {
  const start = message.lastIndexOf(" Actualisez la page");
  const isLast = start !== -1 && message.indexOf(".", start) === message.length - 1;
  return isLast ? message.slice(0, start) : message;
}

/** The argument as a number; throws `not_found` for any other text. */
export function numberArgument(argument: string): number {
  if (!/^\d{1,15}$/.test(argument.trim())) throw new Problem("not_found");
  return Number(argument);
}

/** The argument as a reason, 200 characters at most; throws `reason_needed` when it is blank. */
export function reasonArgument(argument: string): string {
  const reason = argument.trim().slice(0, 200);
  if (reason === "") throw new Problem("reason_needed");
  return reason;
}

/** A function that a later room adds to a hook of an earlier one. */
export interface HookStep {
  hook: string;
  step: string;
  attach(): void;
}

export interface Room {
  name: string;
  routes?: readonly Route[];
  /** The jobs of the room by name; names are unique over all rooms. */
  tasks?: (deps: Deps) => Readonly<Record<string, Task>>;
  /** Scheduled tasks: five fields of cron, in UTC. */
  routines?: readonly { task: string; cron: string }[];
  commands?: readonly OperatorCommand[];
  /** The functions that the room adds to the hooks of earlier rooms. */
  hooks?: readonly HookStep[];
}

/** Adds a function to a hook: `attach({ onOpposed }, revokePassQrs)`. */
export function attach<Step extends Function>(hook: Record<string, Step[]>, step: Step): HookStep {
  const [[name, steps]] = Object.entries(hook) as [[string, Step[]]];
  return { hook: name, step: step.name, attach: () => void steps.push(step) };
}

/** Sets the function of a hook for one kind: `attachAs({ onDocumentRead }, "pass_photo", mayRead)`. */
export function attachAs<Kind extends string, Step extends Function>(
  hook: Record<string, Partial<Record<Kind, Step>>>,
  kind: Kind,
  step: Step,
): HookStep {
  const [[name, steps]] = Object.entries(hook) as [[string, Partial<Record<Kind, Step>>]];
  return {
    hook: `${name}.${kind}`,
    step: step.name,
    attach: () => {
      steps[kind] = step;
    },
  };
}
