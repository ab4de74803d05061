// What a command prints when it is refused.
import { expect, test } from "vitest";
import { Problem } from "#contract/errors.ts";
import { commandResult } from "./room.ts";

const refusal = async (problem: Problem): Promise<string> => {
  const { ok, lines } = await commandResult(() => Promise.reject(problem));
  expect(ok).toBe(false);
  return lines.join("\n");
};

test("a refusal is told without the last sentence that sends to a page, and otherwise whole", async () => {
  expect(await refusal(new Problem("grant_closed"))).toBe("Cette dotation est déjà accordée.");
  expect(await refusal(new Problem("not_found"))).toBe(new Problem("not_found").message);
});
