// The type of a room: each `server/<room>/room.ts` exports one value of it, with its routes, jobs,
// operator commands and hooks. rooms.ts lists them in order.
import { problemOf } from "#server/http/errors.ts";
import type { Route } from "#server/http/serve.ts";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "./deps.ts";

/** A task takes the payload that it was enqueued with; it throws to be run again later. */
export type Task = (payload: Record<string, unknown>) => Promise<unknown>;

/** What a command of the operator's command line is handed. */
export type OperatorDeps = Pick<Deps, "db" | "now" | "send" | "enqueue" | "config" | "log"> & {
  /** Shows the progress of a long work, where somebody watches. */
  progress?: (line: string) => void;
};

/** What a command prints; `ok` is false when something is not as it should be (exit code 1). */
export interface CommandResult {
  ok: boolean;
  lines: readonly string[];
}

/** A command of `npm run operator -- <name> <arguments>`. */
export interface OperatorCommand {
  name: string;
  /** What follows the name, as the list of commands shows it; `[in brackets]` may be left out. */
  arguments: readonly string[];
  /** What it does, in French. */
  says: string;
  /** `operator` is the account of the operating system, which the audit trail keeps. */
  run(deps: OperatorDeps, args: readonly string[], operator: string): Promise<CommandResult>;
}

/** The lines that `work` gives; a refusal, a constraint's too, is one French line, and not ok. */
export async function commandResult(
  work: () => Promise<readonly string[]>,
): Promise<CommandResult> {
  try {
    return { ok: true, lines: await work() };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === "internal") throw error;
    // Sentences of screens end with what to do there; a terminal has no page to read again.
    return { ok: false, lines: [problem.message.replace(/ Actualisez la page[^.]*\.$/, "")] };
  }
}

/** The number that an argument of a command gives; throws `not_found` when it is none. */
export function numberArgument(argument: string): number {
  if (!/^\d{1,15}$/.test(argument.trim())) throw new Problem("not_found");
  return Number(argument);
}

/** The reason that an argument gives, 200 characters at most; throws `reason_needed` when it is blank. */
export function reasonArgument(argument: string): string {
  const reason = argument.trim().slice(0, 200);
  if (reason === "") throw new Problem("reason_needed");
  return reason;
}

/** A step that a later room adds to a hook of an earlier one. */
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
  /** Tasks that run by themselves: five fields of cron, in UTC. */
  routines?: readonly { task: string; cron: string }[];
  commands?: readonly OperatorCommand[];
  /** What the room adds to the hooks of earlier rooms. */
  hooks?: readonly HookStep[];
}

/** Adds a step to a list of steps: `attach({ onOpposed }, revokePassQrs)`. */
export function attach<Step extends Function>(hook: Record<string, Step[]>, step: Step): HookStep {
  const [[name, steps]] = Object.entries(hook) as [[string, Step[]]];
  return { hook: name, step: step.name, attach: () => void steps.push(step) };
}

/** Answers for one kind of a table of steps: `attachAs({ onDocumentRead }, "pass_photo", mayRead)`. */
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
