// A command that two operators run, each with an account of the operating system.
import type { CommandResult, OperatorCommand, OperatorDeps } from "#server/process/room.ts";

/**
 * Runs a command as one account, then as another; gives the second one's answer, or the first one's refusal.
 */
export async function runByTwo(
  deps: OperatorDeps,
  command: OperatorCommand | undefined,
  args: readonly string[],
): Promise<CommandResult> {
  if (!command) throw new Error("no such command");
  const first = await command.run(deps, args, "alice");
  return first.ok ? await command.run(deps, args, "bob") : first;
}
