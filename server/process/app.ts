// The application: one Fastify instance that reads bodies, registers the rows of the contract, serves the web
// build.
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import cookie from "@fastify/cookie";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { Problem } from "#contract/errors.ts";
import { http } from "#contract/limits.ts";
import type { Deps } from "./deps.ts";
import { logAnswers } from "./log.ts";
import { originOfTiles } from "./map-settings.ts";
import { readForms, readJson } from "#server/http/body.ts";
import { compressAnswers } from "#server/http/compression.ts";
import {
  answerErrors,
  answerUnreadable,
  answerUnroutable,
  followConnections,
  requireClearFraming,
} from "#server/http/errors.ts";
import { answerHeads, headAsGet } from "#server/http/head.ts";
import { secureHeaders } from "#server/http/headers.ts";
import { measure } from "#server/http/metrics.ts";
import { type Authenticate, type Route, serve } from "#server/http/serve.ts";
import { requireKnownHost } from "#server/http/site.ts";
import { serveWeb } from "#server/http/static.ts";
import { takeFiles } from "#server/http/upload.ts";
import { countWrites } from "#server/http/write-rate.ts";
import { authenticate, requirePersonRateLimit } from "#server/identity/identity.ts";
import { endLiveEvents } from "#server/notifications/notifications.ts";
import { rooms } from "#server/rooms.ts";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

function noCompiler(): never {
  throw new Error("a route of ours has no schema of Fastify");
}

/** Builds the application from its dependencies and a web build; it does not listen yet. */
export async function buildApp(deps: Deps, web = dist): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    // Fastify's own lines have the whole address; `logAnswers` writes the route's pattern.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: http.bodyBytes,
    requestTimeout: http.requestTimeoutMs,
    // Without these a request that arrives slowly is ended at 60 to 90 s: Node checks every 30 s.
    http: { headersTimeout: http.requestTimeoutMs / 2, connectionsCheckingInterval: 5000 },
    connectionTimeout: 60_000,
    keepAliveTimeout: 5_000,
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    routerOptions: { maxParamLength: 200 },
    exposeHeadRoutes: false,
    // Each of some 400 routes is a plugin to Fastify, which would set and clear a timer for every one.
    pluginTimeout: 0,
    // The contract parses and the handlers answer plain objects: Fastify's own compilers are not loaded.
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    rewriteUrl: headAsGet,
  });
  // An unknown Expect header is refused with a sentence of the catalogue, not by Node's bare 417.
  app.server.on("checkExpectation", (request, response) =>
    app.server.emit("request", request, response),
  );
  app.addHook("onRequest", ({ headers: { expect } }, _reply, done) => {
    const isKnown = expect === undefined || /^100-continue$/i.test(expect);
    done(isKnown ? undefined : new Problem("malformed_body"));
  });
  requireClearFraming(app);
  answerErrors(app);
  followConnections(app);
  requireKnownHost(app, deps.config);
  logAnswers(app);
  measure(app, deps);
  secureHeaders(app, { https: deps.config.publicUrl.startsWith("https:") });
  compressAnswers(app);
  answerHeads(app);
  readJson(app);
  await app.register(cookie);
  const countWrite = countWrites(deps.config.writesPerMinute);
  const known: Authenticate = async (request, { name, row, along }) => {
    const caller = await authenticate(deps, request, along);
    const { personId } = caller;
    if (row.rate) await requirePersonRateLimit(deps, { act: name, personId, ...row.rate });
    else if (row.method !== "GET") countWrite(name, personId);
    return caller;
  };
  const isPage = ({ row }: Route) => row.reply === "html";
  const isUpload = ({ row }: Route) => row.body === "file";
  const everyRoute = rooms.flatMap(({ routes = [] }) => routes);
  for (const { routes = [] } of rooms) {
    const others = routes.filter((route) => !isPage(route) && !isUpload(route));
    serve(app, deps, others, known);
    // Lets the event loop take the database's answers meanwhile.
    await nextTurn();
  }
  await app.register(async (pages) => {
    await readForms(pages);
    serve(pages, deps, everyRoute.filter(isPage), known);
  });
  await app.register(async (uploads) => {
    takeFiles(uploads);
    serve(uploads, deps, everyRoute.filter(isUpload), known);
  });
  app.addHook("preClose", async () => endLiveEvents(deps));
  await serveWeb(app, web, {
    gallery: deps.config.demo,
    imagesFrom: deps.config.map && originOfTiles(deps.config.map.tilesUrl),
  });
  return app;
}
