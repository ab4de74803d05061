// A card as a journey needs it at its start: an earlier try of the same journey, which failed half-way, may have
// left it suspended.
import { expect } from "vitest";
import type { TestServer } from "./test-server.ts";

/** Lets a card be used, whatever became of it. */
export async function makeActive(
  { deps: { pool } }: Pick<TestServer, "deps">,
  cardnumber: number,
): Promise<void> {
  const { rowCount } = await pool.query("update card set state = 'active' where number = $1", [
    cardnumber,
  ]);
  expect(rowCount).toBe(1);
}
