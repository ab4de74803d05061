// The application: one Fastify that reads bodies, walks the contract, serves the web build.
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import cookie from "@fastify/cookie";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { Problem } from "#contract/errors.ts";
import { http } from "#contract/limits.ts";
import type { Deps } from "./deps.ts";
import { readForms, readJson } from "./http/body.ts";
import { answerErrors, answerUnreadable, answerUnroutable } from "./http/errors.ts";
import { secureHeaders } from "./http/headers.ts";
import { measure } from "./http/metrics.ts";
import { type Authenticate, type Route, serve } from "./http/serve.ts";
import { serveWeb } from "./http/static.ts";
import { takeFiles } from "./http/upload.ts";
import { authenticate } from "./identity/identity.ts";
import { endLiveEvents } from "./notifications/notifications.ts";
import { everyRoute } from "./rooms.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** Builds the application on its dependencies and a web build; it does not listen yet. */
export async function buildApp(deps: Deps, web = dist): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    genReqId: () => randomUUID(),
    bodyLimit: http.bodyBytes,
    requestTimeout: http.requestTimeoutMs,
    // Without these a request that drips in is ended at 60 to 90 s: Node looks every 30 s.
    http: { headersTimeout: http.requestTimeoutMs / 2, connectionsCheckingInterval: 5000 },
    connectionTimeout: 60_000,
    keepAliveTimeout: 5_000,
    trustProxy: deps.config.trustProxy,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    routerOptions: { maxParamLength: 200 },
  });
  // An expectation that nobody knows is refused in the words of the catalogue, not by Node's bare 417.
  app.server.on("checkExpectation", (request, response) =>
    app.server.emit("request", request, response),
  );
  app.addHook("onRequest", async ({ headers: { expect } }) => {
    if (expect !== undefined && !/^100-continue$/i.test(expect))
      throw new Problem("malformed_body");
  });
  answerErrors(app);
  measure(app, deps);
  secureHeaders(app, { https: deps.config.publicUrl.startsWith("https:") });
  readJson(app);
  await app.register(cookie);
  const known: Authenticate = (request, along) => authenticate(deps, request, along);
  const isPage = ({ row }: Route) => row.reply === "html";
  const isUpload = ({ row }: Route) => row.body === "file";
  const others = everyRoute.filter((route) => !isPage(route) && !isUpload(route));
  serve(app, deps, others, known);
  await app.register(async (pages) => {
    await readForms(pages);
    serve(pages, deps, everyRoute.filter(isPage), known);
  });
  await app.register(async (uploads) => {
    takeFiles(uploads);
    serve(uploads, deps, everyRoute.filter(isUpload), known);
  });
  app.addHook("preClose", async () => endLiveEvents(deps));
  await serveWeb(app, web, { gallery: deps.config.demo });
  return app;
}
