// Fair queue: a person's second task comes after everybody's first, so that nobody waits for all the tasks of
// one person.

export interface InTurn {
  /** The person whose task it is; 0 for nobody's. */
  of: number;
  /** How many tasks of that person were before it when it came. */
  turn: number;
}

/** The turn of a new task behind those that wait or are under way; 0 for a task of nobody. */
export const turnOf = (of: number, before: readonly InTurn[]): number =>
  of === 0 ? 0 : before.filter((task) => task.of === of).length;

/** Inserts a task behind those whose turn is not later than its own. */
export function placeByTurn<Task extends InTurn>(waiting: Task[], task: Task): void {
  const after = waiting.findIndex(({ turn }) => turn > task.turn);
  waiting.splice(after < 0 ? waiting.length : after, 0, task);
}
