// How bodies are read: JSON in strict UTF-8, its raw bytes kept for signatures; forms on pages only.
import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { Problem } from "#contract/errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as received, to verify the signature of a webhook. */
    rawBody: Buffer | null;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads JSON bodies; an empty one counts as an empty object. */
export function readJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.decorateRequest("rawBody", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      request.rawBody = body;
      if (body.length === 0) return done(null, {});
      let decoded: string;
      try {
        decoded = utf8.decode(body);
      } catch {
        return done(new Problem("malformed_body"));
      }
      return parseJson(request, decoded, done);
    },
  );
}

/** Reads the forms of server-drawn pages; nothing else accepts them. */
export async function readForms(app: FastifyInstance): Promise<void> {
  await app.register(formbody, { bodyLimit: 4096 });
}
