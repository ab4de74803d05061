/** Sources of files that are made when their message leaves. */
export type AttachmentSource = "tickets_pdf" | "tickets_calendar";

/**
 * A file attached to an e-mail: its bytes, or the source that makes it when the e-mail leaves, from the row
 * `id`, so that a payment does not wait for it and the outbox stores no code.
 */
export type Attachment = { filename: string; contentType: string } & (
  | { base64: string }
  | { source: AttachmentSource; id: string }
);
