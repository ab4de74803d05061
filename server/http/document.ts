// An answer that is not JSON: a page, a PDF, a CSV, or a redirect.
import type { Readable } from "node:stream";
import { requireLocalPath } from "./site.ts";

export interface Document {
  type: string;
  /** A stream is sent as it is read; `bytes` says how long it is. */
  body: string | Buffer | Readable;
  bytes?: number;
  /** Makes the browser save the document under this plain ASCII name. */
  filename?: string;
  status?: number;
  headers?: Record<string, string>;
  redirect?: string;
}

export const pdf = (body: Buffer, filename: string): Document => ({
  type: "application/pdf",
  body,
  filename,
});

export const csv = (body: Document["body"], filename: string): Document => ({
  type: "text/csv; charset=utf-8",
  body,
  filename,
});

export const html = (body: string, more: Omit<Document, "type" | "body"> = {}): Document => ({
  type: "text/html; charset=utf-8",
  body,
  ...more,
});

/** A redirect to another page of this site. */
export const redirect = (to: string): Document => ({
  type: "text/plain",
  body: "",
  redirect: requireLocalPath(to),
});

/** Escapes text for HTML, attributes included. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
