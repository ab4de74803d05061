// The contract as OpenAPI 3.1 and as an HTML page, generated from the rows: never written by hand.
import * as z from "zod/mini";
import { everyRow } from "#contract/api.ts";
import { problemsOf, pathParameters, type Reply, type Row } from "#contract/endpoint.ts";
import { problems, type ProblemCode } from "#contract/errors.ts";
import { escapeHtml } from "../http/document.ts";
import { fileTypes } from "../http/upload.ts";

type Json = Record<string, unknown>;

const mediaTypes: Record<Reply, string> = {
  json: "application/json",
  pdf: "application/pdf",
  csv: "text/csv",
  html: "text/html",
  events: "text/event-stream",
  calendar: "text/calendar",
  text: "text/plain",
  file: "application/octet-stream",
};

/** The whole contract as an OpenAPI 3.1 document. */
export function openapi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const { name, row } of everyRow()) {
    const path = row.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[row.method.toLowerCase()] = operation(name, row);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Ma carte", version, description: "API du portail Ma carte." },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        jeton: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
      schemas: {
        Problem: {
          type: "object",
          required: ["message", "code", "requestId"],
          properties: {
            message: { type: "string" },
            code: { type: "string", enum: Object.keys(problems) },
            requestId: { type: "string" },
            details: { type: "object" },
          },
        },
      },
    },
  };
}

function operation(name: string, row: Row): Json {
  const input = schema(row.input, "input");
  const properties = (input["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((input["required"] ?? []) as string[]);
  const inPath = new Set(pathParameters(row.path));
  const hasFile = row.body === "file";
  const rest = Object.keys(properties).filter((key) => !inPath.has(key));
  const inQuery = row.method === "GET" || hasFile ? rest : [];
  const inBody = row.method === "GET" || hasFile ? [] : rest;
  const parameter = (key: string, place: "path" | "query") => ({
    name: key,
    in: place,
    required: place === "path" || required.has(key),
    schema: properties[key],
  });
  return {
    operationId: name,
    tags: [name.split(".")[0]],
    summary: row.summary,
    description: `Access: ${accessWords(row)}. Source: ${row.source}.`,
    security: row.access === "public" || row.access === "machine" ? [] : [{ jeton: [] }],
    parameters: [
      ...[...inPath].map((key) => parameter(key, "path")),
      ...inQuery.map((key) => parameter(key, "query")),
    ],
    ...(hasFile ? { requestBody: fileBody } : {}),
    ...(inBody.length > 0
      ? {
          requestBody: body(
            row,
            inBody,
            properties,
            [...required].filter((k) => !inPath.has(k)),
          ),
        }
      : {}),
    responses: { [String(row.status ?? 200)]: goodAnswer(row), ...refusals(row) },
  };
}

const fileBody: Json = {
  required: true,
  content: Object.fromEntries(fileTypes.map((type) => [type, {}])),
};

function body(
  row: Row,
  keys: string[],
  properties: Record<string, Json>,
  required: string[],
): Json {
  const media = row.reply === "html" ? "application/x-www-form-urlencoded" : "application/json";
  return {
    required: required.length > 0,
    content: {
      [media]: {
        schema: {
          type: "object",
          properties: Object.fromEntries(keys.map((key) => [key, properties[key]])),
          ...(required.length > 0 ? { required } : {}),
        },
      },
    },
  };
}

function goodAnswer(row: Row): Json {
  const media = mediaTypes[row.reply ?? "json"];
  const answer =
    (row.reply ?? "json") === "json" ? schema(row.output, "output") : { type: "string" };
  return { description: row.summary, content: { [media]: { schema: answer } } };
}

/** « professional with charge, of sale: sale ». */
function accessWords({ access, right, of }: Row): string {
  const whose =
    typeof of === "string"
      ? of
      : Object.entries(of)
          .map(([field, thing]) => `${field}: ${thing}`)
          .join(", ");
  return `${access}${right === undefined ? "" : ` with ${right}`}, of ${whose}`;
}

function refusals(row: Row): Record<string, Json> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(row)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers: Record<string, Json> = {};
  for (const [status, codes] of byStatus) {
    answers[String(status)] = {
      description: codes.join(", "),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  }
  return answers;
}

function schema(type: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
  }) as Json;
  return rest;
}

/** The same as an HTML page: one section per room, one line per row, its refusals with their sentences. */
export function documentation(version: string): string {
  const rooms = Map.groupBy(everyRow(), ({ name }) => name.split(".")[0] ?? "");
  const sections = [...rooms].map(([room, rows]) => {
    const lines = rows.map(({ name, row }) => {
      const refused = row.problems
        .map(
          (code) =>
            `<li><code>${code}</code> ${problems[code].status} — ${escapeHtml(problems[code].message)}</li>`,
        )
        .join("");
      return `<details><summary><code>${row.method} ${escapeHtml(row.path)}</code> ${escapeHtml(row.summary)}</summary>
<p>${escapeHtml(name)} · access <b>${escapeHtml(accessWords(row))}</b> · ${escapeHtml(row.source)}</p>
<pre>${escapeHtml(JSON.stringify(schema(row.input, "input"), null, 1))}</pre>
${refused ? `<ul>${refused}</ul>` : ""}</details>`;
    });
    return `<section><h2>${escapeHtml(room)}</h2>${lines.join("\n")}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Ma carte — API ${escapeHtml(version)}</title>
<style>${documentationStyle}</style></head><body><main><h1>Ma carte — API ${escapeHtml(version)}</h1>
<p>Generated from the contract. Machine form: <a href="/api/openapi.json">openapi.json</a></p>
${sections.join("\n")}</main></body></html>`;
}

/** The page's only style; its hash is in the page's policy. */
export const documentationStyle = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;
margin:0;padding:1rem}main{max-width:60rem;margin:auto}details{border-top:1px solid #8885;padding:.5rem 0}
summary{cursor:pointer}pre{overflow:auto;background:#8881;padding:.75rem;border-radius:.5rem}`;
