// The step-up as a test goes through it (spec.md 14 and 29): refused, a code sent, repeated with it.
import { expect } from "vitest";
import { castPassword } from "./cast.ts";
import type { Answered, Client, TestServer } from "./test-server.ts";

/** Makes a call that asks for a code, then makes it again with it, and the password where asked. */
export async function approve(
  server: TestServer,
  client: Client,
  path: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answered<any>> {
  const refusal = await client.post(path, body, headers);
  expect([refusal.status, refusal.body["code"]], refusal.text).toEqual([403, "code_required"]);
  return await client.post(path, { ...body, ...proofFor(server, refusal) }, headers);
}

/** Makes a call, and repeats it with the code when one is required, which depends on what left in 24 h. */
export async function approveIfRequired(
  server: TestServer,
  client: Client,
  path: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answered<any>> {
  const answer = await client.post(path, body, headers);
  if (answer.body["code"] !== "code_required") return answer;
  return await client.post(path, { ...body, ...proofFor(server, answer) }, headers);
}

/** The code, and the password where asked, with which a refused call is repeated. */
export function proofFor(server: TestServer, refusal: Answered<any>): Record<string, unknown> {
  const { challenge, password } = refusal.body["details"] as Record<string, unknown>;
  const code = server.lastCode();
  return { challenge, code, ...(password === true && { password: castPassword }) };
}
