// The portal about itself: health, what the configuration switches on, the generated documentation.
import * as z from "zod/mini";
import { conformities } from "../content/legal.ts";
import * as c from "../endpoint.ts";

export const portal = {
  health: c.row({
    method: "GET",
    path: "/api/health",
    access: "public",
    of: "anyone",
    summary: "State of the service; database, migrations and queue for the operator alone",
    source: "spec §2 /health; server/portal/README.md#health-and-metrics",
    input: c.emptyObject,
    output: z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      time: c.instant,
      /** For the operator alone: this machine, or who bears METRICS_TOKEN. */
      details: z.optional(
        z.object({
          database: z.object({ ok: z.boolean(), latencyMs: z.nullable(z.number()) }),
          migrations: z.object({ applied: z.int(), expected: z.int() }),
          queue: z.object({ ok: z.boolean(), waiting: z.int() }),
          /** Rows of the audit trail and the journal that wait for their seal for over a minute. */
          history: z.object({ ok: z.boolean(), unsealed: z.int() }),
        }),
      ),
    }),
    problems: [],
  }),
  metrics: c.row({
    method: "GET",
    path: "/api/metrics",
    access: "machine",
    of: "anyone",
    summary: "Figures of this process and of what it shares, in Prometheus's form",
    source: "server/portal/README.md#health-and-metrics",
    input: c.emptyObject,
    output: c.document,
    reply: "text",
    problems: [],
  }),
  settings: c.row({
    method: "GET",
    path: "/api/portal",
    access: "public",
    of: "anyone",
    summary: "What this installation switches on or off, for the screens to say so",
    source: "spec.md 20",
    input: c.emptyObject,
    output: z.object({
      version: z.string(),
      demo: z.boolean(),
      payments: z.enum(["sandbox", "stripe", "none"]),
      email: z.boolean(),
      sms: z.boolean(),
      supportPhone: z.nullable(z.string()),
      codeFromCents: c.cents,
      /** A background for the plans; null: the portal draws its own. */
      map: z.nullable(
        z.object({
          /** Address of a tile, with `{z}`, `{x}` and `{y}`. */
          tilesUrl: z.string(),
          attribution: z.string(),
          attributionUrl: z.nullable(z.string()),
          maxZoom: z.int(),
        }),
      ),
      /** What the operator has declared of the portal's accessibility. */
      accessibility: z.enum(conformities),
    }),
    problems: [],
  }),
  openapi: c.row({
    method: "GET",
    path: "/api/openapi.json",
    access: "public",
    of: "anyone",
    summary: "The contract as OpenAPI 3.1",
    source: "server/portal/README.md#documentation-of-the-api",
    input: c.emptyObject,
    output: c.document,
    problems: [],
  }),
  docs: c.row({
    method: "GET",
    path: "/api/docs",
    access: "public",
    of: "anyone",
    summary: "The contract as a readable page",
    source: "server/portal/README.md#documentation-of-the-api",
    input: c.emptyObject,
    output: c.document,
    reply: "html",
    problems: [],
  }),
} as const;
