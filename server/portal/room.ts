// The portal room: which function answers which row.
import { createHash } from "node:crypto";
import { api } from "#contract/api.ts";
import { html } from "../http/document.ts";
import { isMachine, metrics } from "../http/metrics.ts";
import { routes } from "../http/serve.ts";
import { overdueSeals } from "#server/ledger/ledger.ts";
import { homeOf } from "./home.ts";
import { documentation, documentationStyle, openapi } from "./openapi.ts";
import { health, settings, version } from "./portal.ts";
import { professionalHomeOf } from "./professional-home.ts";
import { serviceFactsOf } from "./service-facts.ts";
import type { Room } from "#server/process/room.ts";

const styleHash = createHash("sha256").update(documentationStyle).digest("base64");
const docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`;

// The contract does not change while the server runs: generated once, at the first request.
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
const document = once(() => openapi(version));
const page = once(() => documentation(version));

const handlers = routes("portal", api.portal, {
  health: async ({ deps, request, reply }) => {
    const { details, ...state } = await health(deps);
    if (state.status !== "ok") reply.status(503);
    return isMachine(deps, request) ? { ...state, details } : state;
  },
  metrics: async ({ deps }) => await metrics(deps, overdueSeals),
  settings: ({ deps }) => settings(deps),
  openapi: async () => document(),
  docs: async () => html(page(), { headers: { "content-security-policy": docsPolicy } }),
});

const homeHandlers = routes("home", api.home, {
  read: ({ deps, caller, input }) => homeOf(deps, caller.personId, input),
  professional: professionalHomeOf,
  services: ({ deps, caller, input }) => serviceFactsOf(deps, caller.personId, input),
});

export const portal: Room = { name: "portal", routes: [...homeHandlers, ...handlers] };
