// The step-up as a test goes through it (décision 14): refused for want of a code, sent, repeated.
import { expect } from "vitest";
import type { Answered, Client, House } from "./house.ts";

/** Makes a call that asks for a code, then makes it again with the code that was sent. */
export async function approve(
  house: House,
  client: Client,
  path: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answered<any>> {
  const asked = await client.post(path, body, headers);
  expect([asked.status, asked.body["code"]], asked.text).toEqual([403, "code_required"]);
  const { challenge } = asked.body["details"] as { challenge: string };
  return await client.post(path, { ...body, challenge, code: house.lastCode() }, headers);
}
