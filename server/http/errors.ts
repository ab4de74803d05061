// Turns anything thrown into the one form of refusal: `{message, code, requestId, details?}`.
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DatabaseError } from "pg";
import { plainPath, serverOnly } from "#contract/local-path.ts";
import { http } from "#contract/limits.ts";
import { isProblemCode, Problem, problems, sentence, type ProblemBody } from "#contract/errors.ts";
import { isPage } from "./page-address.ts";

/** Classes of PostgreSQL's errors that mean "not now": connection, resources, shutdown, retries spent. */
const unavailableStates = /^(08|53|57P|58|40001|40P01|55P03|25006)/;
const lostConnection =
  /ECONNREFUSED|connect ENOENT|connect EAGAIN|ECONNRESET|EPIPE|ETIMEDOUT|timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after calling end|client has encountered a connection error|connection timeout|driver has already been destroyed/i;

/** Answers every error of the application with a body of the catalogue, and logs our own errors. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === "internal") request.log.error({ err: error }, "unexpected error");
    else if (problem.code === "unavailable") request.log.warn({ err: error }, "unavailable");
    const seconds = problem.details["seconds"];
    if (typeof seconds === "number") reply.header("retry-after", String(Math.ceil(seconds)));
    if (problem.code === "unavailable") reply.header("retry-after", "2");
    return reply
      .status(problem.status)
      .type("application/json; charset=utf-8")
      .send({
        message: problem.message,
        code: problem.code,
        requestId: request.id,
        ...(Object.keys(problem.details).length > 0 ? { details: problem.details } : {}),
      } satisfies ProblemBody);
  });
}

/**
 * An address that matches no route because it cannot be decoded (`/faq/100%`): not found, like any other. A
 * page of the portal is redirected to a spelling that can be decoded, where the portal itself shows that it
 * is not found.
 */
export function answerUnroutable(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [path = "/"] = request.url.split("?");
  if (isPage(request.method, path) && !serverOnly.test(path)) {
    const location = plainPath(path).replaceAll("%", "%25") + request.url.slice(path.length);
    void reply
      .status(308)
      .headers({ ...bareHeaders, location })
      .send();
    return;
  }
  const { status } = problems.not_found;
  const body = {
    message: sentence("not_found"),
    code: "not_found",
    requestId: request.id,
  } as const;
  void reply
    .status(status)
    .headers({ ...bareHeaders, "x-request-id": request.id })
    .type("application/json; charset=utf-8")
    .send(body satisfies ProblemBody);
}

// These answers are written before any hook of the application could add its headers.
const bareHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

type ClientError = Error & { code?: string };

// Connections refused for unclear framing: Node's parser fails on some of them after it has passed the
// request on.
const unclear = new WeakSet<Socket>();

/**
 * Refuses a body in any transfer coding but `chunked` alone, and closes the connection: this server and a
 * proxy before it might disagree on where such a request ends.
 */
export function requireClearFraming(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers, socket }, reply, done) => {
    const coding = headers["transfer-encoding"];
    if (coding === undefined || coding.toLowerCase() === "chunked") return done();
    unclear.add(socket);
    reply.header("connection", "close");
    done(new Problem("malformed_body"));
  });
}

// Bytes that each connection had sent when its last answer was complete.
const readAtAnswer = new WeakMap<Socket, number>();

/** Remembers where each answer ended, for `answerUnreadable`. */
export function followConnections(app: FastifyInstance): void {
  app.addHook("onResponse", ({ socket }, _reply, done) => {
    readAtAnswer.set(socket, socket.bytesRead);
    done();
  });
}

/**
 * Answers bytes that are no HTTP request, or came too slowly, with one refusal, then closes. A connection
 * without a request since the last answer is closed without one: the next call would read the refusal as its
 * own answer.
 */
export function answerUnreadable(error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || unclear.has(socket)) return;
  const tooSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const isSilent = tooSlow && socket.bytesRead === (readAtAnswer.get(socket) ?? 0);
  if (isSilent || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = tooSlow ? "request_too_slow" : "malformed_body";
  const body = JSON.stringify({
    message: sentence(code),
    code,
    requestId: randomUUID(),
  } satisfies ProblemBody);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
    ...bareHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = tooSlow ? "408 Request Timeout" : "400 Bad Request";
  // Closing while the client still sends resets the connection, and the refusal is lost: incoming data is
  // discarded for a while.
  socket.removeAllListeners("data").on("data", () => {});
  const cut = setTimeout(() => socket.destroy(), http.lingerMs);
  socket.once("close", () => clearTimeout(cut));
  socket.end([`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n"));
}

/** The problem of an error. A constraint's name is its code. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseError) return databaseProblem(error);
  if (error instanceof Error) {
    const { code, statusCode } = error as FastifyError;
    if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new Problem("body_too_large");
    if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new Problem("unsupported_media_type");
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return new Problem("malformed_body");
    }
    if (lostConnection.test(`${code ?? ""} ${error.message}`)) return new Problem("unavailable");
  }
  return new Problem("internal");
}

function databaseProblem(error: DatabaseError): Problem {
  if (error.constraint && isProblemCode(error.constraint)) return new Problem(error.constraint);
  if (unavailableStates.test(error.code ?? "")) return new Problem("unavailable");
  return new Problem("internal");
}
