// Calls of rows by their own schemas: the smallest input that a row accepts, and how it travels.
import * as z from "zod/mini";
import { todayInParis } from "#contract/days.ts";
import { pathParameters, type Row } from "#contract/endpoint.ts";
import { cast } from "./cast.ts";
import type { Answered, Client } from "./test-server.ts";
import { pdfFile } from "./pdf-file.ts";

type Shape = Record<string, any>;

const schemas = new WeakMap<Row, Shape>();

/** A row's input as a JSON schema. */
export function inputSchema(row: Row): Shape {
  const known = schemas.get(row);
  if (known) return known;
  const schema = z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" }) as Shape;
  schemas.set(row, schema);
  return schema;
}

/** The smallest value that a row's own schema accepts, with the given values in their places. */
export function smallestInput(row: Row, values: Record<string, unknown>): Record<string, unknown> {
  const schema = inputSchema(row);
  const properties = (schema["properties"] ?? {}) as Record<string, Shape>;
  const required = new Set([...(schema["required"] ?? []), ...pathParameters(row.path)]);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.has(name))
      .map(([name, shape]) => [name, values[name] ?? sample(name, shape)]),
  );
}

/** The smallest value that a schema accepts. */
export function sample(name: string, shape: Shape): unknown {
  if (name === "toCardnumber") return cast.guardian.cardnumber;
  if (name === "reason" && !shape["enum"]) return "Quelques mots pour dire pourquoi.";
  // Nothing is the smallest value of what may be nothing.
  if (shape["anyOf"]?.some((one: Record<string, unknown>) => one["type"] === "null")) return null;
  const choice = (shape["anyOf"] ?? shape["oneOf"])?.[0];
  if (choice) return sample(name, choice);
  if (shape["type"] === "object") {
    const inner = Object.entries(shape["properties"] as Record<string, Shape>);
    return Object.fromEntries(inner.map(([key, one]) => [key, sample(key, one)]));
  }
  if (shape["enum"]) return shape["enum"][0];
  if (shape["const"] !== undefined) return shape["const"];
  if (shape["type"] === "integer" || shape["type"] === "number") return shape["minimum"] ?? 1;
  if (shape["type"] === "boolean") return true;
  if (shape["format"] === "uuid") return "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b";
  if (shape["format"] === "date") return todayInParis();
  if (shape["type"] === "array") return shape["minItems"] ? [sample(name, shape["items"])] : [];
  if (shape["format"] === "email") return "nouvelle.adresse@exemple.fr";
  if (name === "phonenumber") return "0612345699";
  if (/password|current/.test(name)) return "une phrase longue et rare 7";
  return "123456";
}

/** Calls a row: the input's parts in path, query or body, as the row says. */
export async function callRow(
  client: Client,
  row: Row,
  { ...input }: Record<string, unknown>,
): Promise<Answered> {
  let path: string = row.path;
  for (const name of pathParameters(row.path)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(input[name])));
    delete input[name];
  }
  const query = new URLSearchParams(Object.entries(input).map(([k, v]) => [k, String(v)]));
  if (row.method === "GET") return await client.get(`${path}?${query}`);
  if (row.body === "file") {
    return await client.post(`${path}?${query}`, pdfFile(), {
      "content-type": "application/pdf",
    });
  }
  if (row.reply === "html") {
    return await client.post(path, query.toString(), {
      "content-type": "application/x-www-form-urlencoded",
    });
  }
  return await client.post(path, input);
}
