/** What draws a file when the message that carries it leaves. */
export type AttachmentSource = "tickets_pdf" | "tickets_calendar";

/**
 * A file that an e-mail carries: its bytes, or what draws them when it leaves, from the row `id`, so that
 * a payment waits for no drawing and the outbox keeps no code.
 */
export type Attachment = { filename: string; contentType: string } & (
  | { base64: string }
  | { source: AttachmentSource; id: string }
);
