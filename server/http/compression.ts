// Compresses long answers for clients that accept it; files of the web build have compressed copies
// (static.ts).
import { brotliCompress, type CompressCallback, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance } from "fastify";

/**
 * A shorter answer is sent sooner as it is. This also keeps tokens out: answers that hold one are short, and
 * the compressed length discloses something to an attacker who can add to the text.
 */
const fromCharacters = 4096;

// The library's default level, 11, is for files compressed once and sent often.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors = {
  br: (text: string, done: CompressCallback) => brotliCompress(text, quality, done),
  gzip: (text: string, done: CompressCallback) => gzip(text, done),
} as const;
const encodings = Object.keys(compressors) as (keyof typeof compressors)[];

/** Compresses text of `fromCharacters` and more, JSON above all. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < fromCharacters) {
      done(null, payload);
      return;
    }
    reply.header("vary", [reply.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", "));
    const encoding = negotiate(request.headers["accept-encoding"] ?? "", encodings);
    if (encoding === null) {
      done(null, payload);
      return;
    }
    compressors[encoding](payload, (error, bytes) => {
      if (error) {
        done(error);
        return;
      }
      reply.header("content-encoding", encoding).removeHeader("content-length");
      done(null, bytes);
    });
  });
}
