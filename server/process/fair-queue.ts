// Turns: of what waits, a second task of somebody comes after everybody's first, so that many of one make nobody else
// wait for all of them.

export interface InTurn {
  /** Whose task it is; 0 for nobody's. */
  of: number;
  /** How many tasks of theirs were before it when it came. */
  turn: number;
}

/** The turn of a task that comes behind those that wait or are under way; one of nobody is a first one. */
export const turnOf = (of: number, before: readonly InTurn[]): number =>
  of === 0 ? 0 : before.filter((task) => task.of === of).length;

/** Puts a task behind those whose turn is not later than its own. */
export function placeByTurn<Task extends InTurn>(waiting: Task[], task: Task): void {
  const after = waiting.findIndex(({ turn }) => turn > task.turn);
  waiting.splice(after < 0 ? waiting.length : after, 0, task);
}
