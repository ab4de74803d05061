// A HEAD is answered by the route of the GET of its address: a second route for each would double the
// registrations of every start. Node leaves the body out, since the response knows the request's method.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

const heads = new WeakSet<IncomingMessage>();

/** For Fastify's `rewriteUrl`, which runs before the routing: treats a HEAD as a GET; the address stays. */
export function headAsGet(request: IncomingMessage): string {
  if (request.method === "HEAD") {
    heads.add(request);
    request.method = "GET";
  }
  return request.url ?? "/";
}

/** Ends the answer to a HEAD after its headers: a stream, which may never end, is not waited for. */
export function answerHeads(app: FastifyInstance): void {
  app.addHook("onSend", ({ raw }, _reply, payload, done) => {
    if (!heads.has(raw)) return done(null, payload);
    // Without a body Fastify then keeps the length that it would have had.
    raw.method = "HEAD";
    if (!(payload instanceof Readable)) return done(null, payload);
    payload.destroy();
    done(null, null);
  });
}
