// Whether an answer is one that the contract allows to this caller.
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { problemsOf, type Row } from "#contract/endpoint.ts";
import { isProblemCode, problems, sentence, type ProblemDetails } from "#contract/errors.ts";
import { cast, castPassword } from "#tests/cast.ts";
import type { Plan, Wire } from "./requests.ts";
import type { CallerKind, Marker } from "./target.ts";

/** An answer, its body read. */
export interface Answer {
  status: number;
  type: string;
  requestId: string;
  text: string;
}

export interface Exchange {
  row: Row;
  plan: Plan;
  wire: Wire;
  caller: CallerKind;
  answer: Answer;
  markers: readonly Marker[];
}

/** The faults of an answer; usually none. */
export function faultsOf(exchange: Exchange): string[] {
  const { answer, wire } = exchange;
  if (wire.method === "HEAD") return answer.status < 500 ? [] : [`status ${answer.status}`];
  const found = answer.status < 400 ? successFaults(exchange) : ofRefusal(exchange);
  return [...found, ...strangersIn(exchange)];
}

function successFaults({ row, caller, answer, wire }: Exchange): string[] {
  if (!mayCall(row, caller)) return [`answers ${answer.status} to ${caller.name}`];
  // The row did not answer, as the path or the method is another one; the content of that answer is not
  // checked.
  if (row.method !== wire.method) return [`answers ${answer.status} to ${wire.method}`];
  const kind = row.reply ?? "json";
  const expected = contentTypes[kind];
  if (answer.status === 303 && kind === "html") return [];
  if (!answer.type.startsWith(expected)) return [`content type ${answer.type || "(none)"}`];
  const expectedStatus = row.status ?? 200;
  if (answer.status !== expectedStatus)
    return [`status ${answer.status} instead of ${expectedStatus}`];
  if (kind !== "json") return [];
  const body = parsed(answer.text);
  if (body === undefined) return ["a body that is not JSON"];
  const { success, data, error } = z.safeParse(row.output, body);
  if (!success) return [`outside its contract: ${z.prettifyError(error)}`];
  return isDeepStrictEqual(data, body) ? [] : ["more in the answer than the row says"];
}

const contentTypes = {
  json: "application/json",
  html: "text/html",
  pdf: "application/pdf",
  csv: "text/csv",
  calendar: "text/calendar",
  text: "text/plain",
  // Whatever the document is: its room's test says which.
  file: "",
  events: "text/event-stream",
} as const;

function ofRefusal({ row, answer }: Exchange): string[] {
  // A page refuses in words of its own, with a status of the catalogue.
  const statuses = problemsOf(row).map((code) => problems[code].status);
  const isPage = row.reply === "html" && answer.type.startsWith("text/html");
  const known = statuses.some((status) => status === answer.status);
  if (isPage) return known && answer.status < 500 ? [] : [`a page with status ${answer.status}`];
  return bodyFaults(answer, problemsOf(row), row.problems);
}

/** Whether a refusal is a body of the catalogue; `own` are the codes that may say 503 in peace. */
export function bodyFaults(
  answer: Answer,
  codes: readonly string[],
  own: readonly string[] = [],
): string[] {
  const { status, type, text } = answer;
  const body = parsed(text) as Record<string, unknown> | undefined;
  const code = String(body?.["code"]);
  if (!body || !type.startsWith("application/json") || !isProblemCode(code)) {
    return [`status ${status} with a body that is not of the catalogue: ${text.slice(0, 120)}`];
  }
  const details = (body["details"] ?? {}) as ProblemDetails;
  const faults: string[] = [];
  if (status >= 500 && !own.includes(code)) faults.push(`${status} ${code}`);
  if (!codes.includes(code)) faults.push(`${code}, which the row does not list`);
  if (problems[code].status !== status) faults.push(`${code} with status ${status}`);
  if (body["message"] !== sentence(code, details)) faults.push(`${code} says something else`);
  if (/\{[a-z]\w*\}/i.test(sentence(code, details)))
    faults.push(`${code} leaves a hole in its sentence`);
  if (typeof body["requestId"] !== "string" || body["requestId"] === "")
    faults.push("no requestId");
  const extra = Object.keys(body).filter(
    (name) => !["message", "code", "requestId", "details"].includes(name),
  );
  if (extra.length > 0) faults.push(`a refusal with ${extra.join(", ")}`);
  return faults;
}

function mayCall({ access }: Row, { name, person }: CallerKind): boolean {
  if (access === "public" || access === "machine") return true;
  if (!person || name === "disabled") return false;
  if (access === "session") return true;
  if (name === "reset pending" || access === "reset") {
    return name === "reset pending" && access === "reset";
  }
  const { type } = cast[person];
  return access === "person" || type === (access === "holder" ? 1 : 2);
}

/** A number counts where it stands alone: a sum of seconds in a metric may hold any ten digits. */
const containsWhole = (text: string, answer: string): boolean =>
  answer.includes(text) &&
  (!/^\d+$/.test(text) || new RegExp(`(?<![\\d.])${text}(?!\\d)`).test(answer));

/** Other people's names, cards, addresses and ids in an answer. */
function strangersIn({ row, plan, wire, answer, markers }: Exchange): string[] {
  const sent = `${decoded(wire.url)} ${wire.payload ? Buffer.from(wire.payload).toString() : ""}`;
  // Whoever sends somebody's card and password counts as that person, whatever the session says.
  const { login, password } = plan.input;
  const proved = row.access === "public" && password === castPassword ? login : null;
  // A page that opens to whoever has its unguessable id may lead back to the wallet it came from.
  // An invitation says who sent it to the one who answers, and names the card that was invited.
  const invited = row.path.startsWith("/api/family") && answer.status < 400;
  const byId = row.access === "public" && row.path.includes("/:id");
  return markers
    .filter(({ of, text, repeated }) => {
      if (!containsWhole(text, answer.text) || cast[of].cardnumber === proved) return false;
      if (invited && !/[@+]/.test(text)) return false;
      return !(repeated && (byId || (answer.status >= 400 && sent.includes(text))));
    })
    .map(({ of, text }) => `tells of ${of}: ${text}`);
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
