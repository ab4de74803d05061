// Serves the contract over HTTP: for each row it checks access, parses the input, calls the handler, replies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import {
  pathParameters,
  problemsOf,
  type Output,
  type Parsed,
  type Row,
  type RowRight,
} from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/process/deps.ts";
import { runAsPerson } from "#server/process/acting-person.ts";
import { clientAddress } from "./client-address.ts";
import type { CallCompany, Caller, Origin, ReadAlong } from "./caller.ts";
import type { Document } from "./document.ts";
import { admitMachine } from "./metrics.ts";
import { companyOfCall } from "./rights.ts";
import { fileOf } from "./upload.ts";
import { faultOf } from "./input-faults.ts";

/** Argument of a handler. `caller` is null on public rows only. */
export interface Call<R extends Row> {
  input: Parsed<R>;
  caller: R["access"] extends "public" | "machine" ? null : Caller;
  /** On rows that require a right in the caller's company. */
  company: R extends { right: "anyone" }
    ? null
    : R extends { right: RowRight }
      ? CallCompany
      : null;
  deps: Deps;
  origin: Origin;
  /** The client's Idempotency-Key, null when it sent none. */
  key: string | null;
  /** The body of a row that receives a file. */
  file: R extends { body: "file" } ? Buffer : null;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answer<R extends Row> = R extends { reply: "html" | "pdf" | "csv" | "calendar" | "text" }
  ? Document
  : R extends { reply: "events" }
    ? void
    : Output<R>;

export type Handler<R extends Row> = (call: Call<R>) => Promise<Answer<R>>;

/** A row with the function that answers it. */
export interface Route {
  name: string;
  row: Row;
  handle: (call: Call<Row>) => Promise<unknown>;
  /** On the most frequent reads: the session and the answer in one round trip. */
  along?: ReadAlong | undefined;
}

/**
 * Pairs every row of a room with its handler; a row without one does not compile. `along`: the rows whose
 * answer is read together with the session.
 */
export function routes<Rows extends Record<string, Row>>(
  room: string,
  rows: Rows,
  handlers: { [Name in keyof Rows]: Handler<Rows[Name]> },
  along: { [Name in keyof Rows]?: ReadAlong } = {},
): Route[] {
  return Object.entries(rows).map(([name, row]) => ({
    name: `${room}.${name}`,
    row,
    handle: handlers[name] as unknown as Route["handle"],
    along: along[name],
  }));
}

/** The caller of a route that is not public; refuses callers without access, and too frequent calls. */
export type Authenticate = (request: FastifyRequest, route: Route) => Promise<Caller>;

/** Registers every route on the application. */
export function serve(
  app: FastifyInstance,
  deps: Deps,
  table: readonly Route[],
  authenticate: Authenticate,
): void {
  for (const route of table) {
    const parameters = pathParameters(route.row.path);
    app.route({
      method: route.row.method,
      url: route.row.path,
      handler: (request, reply) => answer(route, parameters, deps, authenticate, request, reply),
    });
  }
}

async function answer(
  route: Route,
  parameters: readonly string[],
  deps: Deps,
  authenticate: Authenticate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { name, row, handle } = route;
  if (row.access === "machine") admitMachine(deps, request);
  const isOpen = row.access === "public" || row.access === "machine";
  const caller = isOpen ? null : await authenticate(request, route);
  if (caller) allow(row, caller);
  const company = caller && companyOfCall(row, caller);
  const input = parse(row, parameters, request);
  const file = row.body === "file" ? await fileOf(request, caller as Caller, row.fileBytes) : null;
  const call = {
    input,
    caller: caller as Caller,
    company: company as null,
    file: file as null,
    deps,
    origin: originOf(deps, request),
    key: idempotencyKey(request),
    request,
    reply,
  } satisfies Call<Row>;
  try {
    const result = await (caller ? runAsPerson(caller.personId, () => handle(call)) : handle(call));
    if (row.reply === "events") return reply;
    if (row.reply && row.reply !== "json") return sendDocument(reply, result as Document);
    if (deps.config.checkAnswers) checkAnswer(name, row, result);
    if (row.status) reply.status(row.status);
    return await reply.send(result);
  } catch (error) {
    if (deps.config.checkAnswers && error instanceof Problem) checkProblem(name, row, error);
    throw error;
  }
}

/** Checks the access column of a row. */
function allow(row: Row, caller: Caller): void {
  if (row.access === "session") return;
  if (row.access === "reset") {
    if (!caller.mustReset) throw new Problem("reset_not_pending");
    return;
  }
  if (caller.mustReset) throw new Problem("reset_required");
  if (row.access === "holder" && caller.type !== 1) throw new Problem("forbidden");
  if (row.access === "professional" && caller.type !== 2) throw new Problem("forbidden");
}

function parse(row: Row, parameters: readonly string[], request: FastifyRequest): unknown {
  const inQuery = row.method === "GET" || row.body === "file";
  const sent = inQuery ? request.query : (request.body ?? {});
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    throw new Problem("malformed_body");
  }
  const values: Record<string, unknown> = { ...sent };
  // The path wins over the body: the handler gets what the access check saw.
  for (const name of parameters) {
    values[name] = (request.params as Record<string, unknown>)[name];
  }
  const parsed = z.safeParse(row.input, values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new Problem("invalid_input", { field, what: issue ? faultOf(issue, values) : "" });
}

function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && /^[\x21-\x7e]{1,100}$/.test(key)) return key;
  throw new Problem("invalid_input", { field: "Idempotency-Key", what: "clé de répétition" });
}

function originOf({ config }: Deps, request: FastifyRequest): Origin {
  return {
    address: clientAddress(request, config.trustedProxies),
    agent: (request.headers["user-agent"] ?? "").slice(0, 300),
    samePage: request.headers["sec-fetch-site"] === "same-origin",
    requestId: request.id,
  };
}

function sendDocument(reply: FastifyReply, document: Document): FastifyReply {
  if (document.redirect) return reply.redirect(document.redirect, 303);
  if (document.filename) {
    reply.header("content-disposition", `attachment; filename="${document.filename}"`);
  }
  if (document.bytes !== undefined) reply.header("content-length", String(document.bytes));
  return reply
    .status(document.status ?? 200)
    .headers(document.headers ?? {})
    .type(document.type)
    .send(document.body);
}

/** In tests and development an answer that violates the contract is an error of ours, and is thrown. */
function checkAnswer(name: string, row: Row, result: unknown): void {
  const parsed = z.safeParse(row.output, result);
  if (!parsed.success) {
    throw new Error(`${name} answers outside its contract: ${z.prettifyError(parsed.error)}`);
  }
}

function checkProblem(name: string, row: Row, problem: Problem): void {
  if (!problemsOf(row).includes(problem.code)) {
    throw new Error(`${name} refuses with ${problem.code}, which its row does not list`);
  }
}
