// Long answers leave compressed for whoever accepts it; files of the web build bring their own twins (static.ts).
import { brotliCompress, type CompressCallback, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance } from "fastify";

/**
 * A shorter answer is on its way sooner as it is. It also keeps tokens out: what holds one is short, and the
 * length of what is compressed tells something of it to those who may add to it.
 */
const fromCharacters = 4096;

// The library's own level, 11, is for what is compressed once and sent often.
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
