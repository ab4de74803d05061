// The server's log: who, what, when; never a value of a query, a whole card number or address, nor the row
// that violated a constraint.
import { pino, type DestinationStream, type Logger } from "pino";
import { DatabaseError } from "pg";
import type { FastifyInstance } from "fastify";

/** The logged form of an error. PostgreSQL's detail and context repeat values of the statement. */
function loggedError(error: unknown): unknown {
  const plain = pino.stdSerializers.err(error as Error) as Record<string, unknown>;
  if (!(error instanceof DatabaseError)) return plain;
  const { type, message, stack, code, constraint, table, routine } = plain;
  return { type, message, stack, code, constraint, table, routine };
}

/** The end of a card number: enough to find a person who calls, too little to log in with. */
const loggedCard = (number: unknown): string => `…${String(number).slice(-4)}`;

/** The network of an address, not the subscriber: « 203.0.113.0 », « 2001:db8:1:: ». */
function loggedAddress(address: unknown): string {
  const text = String(address);
  if (/\.\d+$/.test(text)) return text.replace(/\.\d+$/, ".0");
  return `${/^(?:[0-9a-f]{1,4}:){3}/i.exec(text)?.[0] ?? ":"}:`;
}

/** Opens the log at `level`; tests give its destination. */
export function openLog(level: string, to?: DestinationStream): Logger {
  const serializers = { err: loggedError, cardnumber: loggedCard, address: loggedAddress };
  const options = { level, serializers };
  return to ? pino(options, to) : pino(options);
}

/** One line for each answer, with the route's pattern: an address may contain a card number or a position. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      "answered",
    );
    done();
  });
}
