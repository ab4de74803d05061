// Documents: files that people attach to what they write or request. Uploaded first, attached afterwards.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** A document as its owner's screens show it. */
export const document = z.object({
  id: c.uuid,
  /** Its name, cleaned, with the ending of what it really is. */
  name: z.string(),
  kind: z.enum(["image", "pdf"]),
  bytes: z.int(),
});
export type Document = z.output<typeof document>;

export const documents = {
  upload: c.row({
    method: "POST",
    path: "/api/documents",
    access: "person",
    of: "self",
    summary: "Uploads a JPEG, PNG or PDF as the body itself; loose for 24 h until it is attached",
    source: "server/documents/README.md#what-a-file-may-be",
    body: "file",
    input: z.object({ name: z.optional(c.text(300)) }),
    output: document,
    status: 201,
    problems: [
      "document_too_large",
      "document_type",
      "document_heic",
      "document_locked",
      "document_no_page",
      "document_unreadable",
      "document_full",
      "document_quota",
    ],
  }),
  read: c.row({
    method: "GET",
    path: "/api/documents/:id",
    access: "person",
    of: { id: "document" },
    summary: "The file, for whoever uploaded it or may see what it is attached to",
    source: "server/documents/README.md#where-files-are-kept",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "file",
    problems: [],
  }),
  discard: c.row({
    method: "POST",
    path: "/api/documents/:id/discard",
    access: "person",
    of: { id: "document" },
    summary: "Deletes one's own document that is attached to nothing",
    source: "server/documents/README.md#where-files-are-kept",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    problems: ["document_attached"],
  }),
} as const;
