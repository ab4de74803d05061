// Draws papers one after the other, so that many at once take no more of each turn of the event loop than
// one.
import { Problem } from "#contract/errors.ts";
import { type InTurn, placeByTurn, turnOf } from "#server/process/fair-queue.ts";

const maxWaiting = 32;
/** Most waiting papers of one owner. */
const maxPerOwner = 8;

interface Paper extends InTurn {
  begin: () => void;
}
const waiting: Paper[] = [];
let drawing: Paper | null = null;

/**
 * Draws once its turn has come: those of one card, or other owner `of`, take turns with others'. Refuses
 * `unavailable` when too many wait, of all or of that owner.
 */
export async function drawInTurn<Result>(of: number, draw: () => Promise<Result>): Promise<Result> {
  const turn = turnOf(of, drawing ? [...waiting, drawing] : waiting);
  if (waiting.length >= maxWaiting || turn >= maxPerOwner) throw new Problem("unavailable");
  await new Promise<void>((begin) => {
    placeByTurn(waiting, { of, turn, begin });
    if (!drawing) beginNext();
  });
  try {
    return await draw();
  } finally {
    beginNext();
  }
}

function beginNext(): void {
  drawing = waiting.shift() ?? null;
  drawing?.begin();
}
