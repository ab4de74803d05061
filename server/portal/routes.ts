import { createHash } from "node:crypto";
import { api } from "#contract/api.ts";
import { html } from "../http/document.ts";
import { metrics } from "../http/metrics.ts";
import { routes } from "../http/serve.ts";
import { documentation, documentationStyle, openapi } from "./openapi.ts";
import { health, settings, version } from "./portal.ts";

const styleHash = createHash("sha256").update(documentationStyle).digest("base64");
const docsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`;

// The contract does not change while the server runs: written out once, when first asked for.
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
const document = once(() => openapi(version));
const page = once(() => documentation(version));

export const portalRoutes = routes("portal", api.portal, {
  health: async ({ deps, reply }) => {
    const state = await health(deps);
    if (state.status !== "ok") reply.status(503);
    return state;
  },
  metrics: async ({ deps }) => await metrics(deps),
  settings: async ({ deps }) => settings(deps),
  openapi: async () => document(),
  docs: async () => html(page(), { headers: { "content-security-policy": docsPolicy } }),
});
