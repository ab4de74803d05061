// The outcome of a call: its answer, its writes and its messages; and how two outcomes differ.
import { isDeepStrictEqual } from "node:util";
import type { DemoCallers } from "#tests/demo-callers.ts";
import { isBookkeeping, undoWrites } from "#tests/recorded-writes.ts";
import { callRow } from "#tests/row-calls.ts";
import type { MatrixCall } from "./calls.ts";

export interface CallOutcome {
  status: number;
  code: string;
  /** The answer's text, without what names the request. */
  text: string;
  /** Rows written, and messages. */
  wrote: readonly string[];
}

/** Makes a call of the matrix; the database is then as it was. */
export async function outcomeOf({ server }: DemoCallers, call: MatrixCall): Promise<CallOutcome> {
  const { pool } = server.owner;
  const laid = call.lay ? [await pool.query(call.lay)].flat().at(-1)?.rows[0] : {};
  const sent = server.outbox.length;
  const input = structuredClone({ ...call.input, ...laid });
  const { status, body, text } = await callRow(call.client, call.row, input);
  // The memory of the server holds its secrets: they stay.
  const writes = await undoWrites(pool, 0, ["secret"]);
  const messages = server.outbox.splice(sent).map(({ address }) => `message to ${address}`);
  const wrote = writes
    .filter((one) => !isBookkeeping(one))
    .map(({ op, at }) => `${op} ${at}`)
    .concat(messages)
    .toSorted();
  const said = "code" in body ? JSON.stringify({ ...body, requestId: "" }) : text;
  return { status, code: String(body["code"]), text: said, wrote };
}

/** Values that may differ at each call: random ids and secrets, and times to the second. */
const changing =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z?|[\w+/=-]{20,}|\b\d{6}\b/g;
const mask = (text: string): string => text.replaceAll(changing, "…");

/** The parts of an outcome that are the same at each call. */
export interface Stable {
  answer: boolean;
  text: "whole" | "masked" | "none";
  wrote: boolean;
}

const isSameAnswer = (one: CallOutcome, other: CallOutcome): boolean =>
  one.status === other.status && one.code === other.code;

export const stableParts = (one: CallOutcome, again: CallOutcome): Stable => ({
  answer: isSameAnswer(one, again),
  text: one.text === again.text ? "whole" : mask(one.text) === mask(again.text) ? "masked" : "none",
  wrote: isDeepStrictEqual(one.wrote, again.wrote),
});

/** How an outcome differs from that of the unchanged server: in what is refused, or in what is shown and written. */
export function difference(
  was: CallOutcome,
  is: CallOutcome,
  stable: Stable = { answer: true, text: "whole", wrote: true },
): "refusal" | "content" | undefined {
  if (!stable.answer) return undefined;
  if (!isSameAnswer(was, is)) return "refusal";
  if (stable.wrote && !isDeepStrictEqual(was.wrote, is.wrote)) return "content";
  if (stable.text === "whole" && was.text !== is.text) return "content";
  if (stable.text === "masked" && mask(was.text) !== mask(is.text)) return "content";
  return undefined;
}
