// Delivery of the outbox: e-mail by SMTP, SMS by an HTTP gateway, at least once. A crash between the
// gateway's answer and the update of the row sends again, under the same Message-ID.
import { codes } from "#contract/limits.ts";
import type { Attachment, AttachmentSource } from "#server/process/attachment.ts";
import type { Deps } from "#server/process/deps.ts";

interface Outgoing {
  id: number;
  channel: "email" | "sms";
  address: string;
  subject: string;
  body: string;
  html: string | null;
  attachments: readonly Attachment[] | null;
}

/** Draws a file from the row `id`; null when there is nothing left to draw. */
type DrawAttachment = (deps: Deps, id: string) => Promise<Buffer | null>;

/** Hook: later rooms draw the files that their messages name. */
export const onAttachmentDrawn: Partial<Record<AttachmentSource, DrawAttachment>> = {};

const gatewayTimeoutMs = 10_000;
const retentionDays = 90;
/** New values of these columns for a message that carried a code, once it has left. */
const blank = { body: "", html: null, attachments: null };

/**
 * Sends the message `id` of the outbox. Throws when the gateway refuses or is out of reach, so that the queue
 * tries again later; a code is abandoned once it has expired. Without a gateway the message stays in the
 * outbox in demo mode and is abandoned otherwise (spec.md 20).
 */
export async function deliver(deps: Deps, id: number): Promise<void> {
  const message = await deps.db
    .selectFrom("outbox")
    .selectAll()
    .where("id", "=", id)
    .where("sentAt", "is", null)
    .where("abandonedAt", "is", null)
    .executeTakeFirst();
  if (!message) return;
  const gateway = message.channel === "email" ? deps.config.smtpUrl : deps.config.smsUrl;
  if (gateway === null) {
    if (!deps.config.demo) await giveUp(deps, message, "aucune passerelle configurée");
    return;
  }
  const ageSeconds = (deps.now().getTime() - message.createdAt.getTime()) / 1000;
  if (message.secret && ageSeconds > codes.lifeSeconds) {
    await giveUp(deps, message, "code périmé avant l'envoi");
    return;
  }
  const failure = await failureOf(async () => {
    if (message.channel === "sms") return await sendSms(gateway, message);
    const files = await filesOf(deps, message.attachments ?? []);
    await sendEmail(deps, gateway, message, files);
  });
  if (failure !== null) {
    await deps.db
      .updateTable("outbox")
      .set((row) => ({ attempts: row("attempts", "+", 1), lastError: failure }))
      .where("id", "=", id)
      .execute();
    throw new Error(`message ${id} not sent: ${failure}`);
  }
  await deps.db
    .updateTable("outbox")
    .set((row) => ({
      attempts: row("attempts", "+", 1),
      sentAt: deps.now(),
      lastError: null,
      ...(message.secret ? blank : {}),
    }))
    .where("id", "=", id)
    .execute();
}

async function giveUp(deps: Deps, message: { id: number; secret: boolean }, why: string) {
  await deps.db
    .updateTable("outbox")
    .set({ abandonedAt: deps.now(), lastError: why, ...(message.secret ? blank : {}) })
    .where("id", "=", message.id)
    .execute();
  deps.log.warn({ message: message.id, why }, "message given up");
}

interface MailFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** The bytes of the attachments; one whose row is gone is left out. */
async function filesOf(deps: Deps, attachments: readonly Attachment[]): Promise<MailFile[]> {
  const files: MailFile[] = [];
  for (const attachment of attachments) {
    const { filename, contentType } = attachment;
    const content =
      "base64" in attachment
        ? Buffer.from(attachment.base64, "base64")
        : await drawn(deps, attachment);
    if (content) files.push({ filename, contentType, content });
  }
  return files;
}

async function drawn(
  deps: Deps,
  { source, id }: { source: AttachmentSource; id: string },
): Promise<Buffer | null> {
  const draw = onAttachmentDrawn[source];
  if (!draw) throw new Error(`nothing draws ${source}`);
  return await draw(deps, id);
}

async function sendEmail(
  deps: Deps,
  url: string,
  message: Outgoing,
  attachments: MailFile[],
): Promise<void> {
  // Loaded at the first message: it is half a megabyte that a start need not wait for.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(url, { from: deps.config.mailFrom });
  transport.on("error", () => {});
  const limit = AbortSignal.timeout(gatewayTimeoutMs);
  const tooLong = new Promise<never>((_resolve, reject) => {
    limit.addEventListener("abort", () => reject(new Error("the mail server does not answer")));
  });
  try {
    const sending = transport.sendMail({
      to: message.address,
      subject: message.subject,
      text: message.body,
      ...(message.html === null ? {} : { html: message.html }),
      attachments,
      messageId: `<message-${message.id}@${new URL(deps.config.publicUrl).hostname}>`,
      headers: { "auto-submitted": "auto-generated", "content-language": "fr" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await Promise.race([sending, tooLong]);
  } finally {
    transport.close();
  }
}

async function sendSms(url: string, message: Outgoing): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": `message-${message.id}` },
    body: JSON.stringify({ to: message.address, text: message.body }),
    redirect: "error",
    signal: AbortSignal.timeout(gatewayTimeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the SMS gateway answers ${answer.status}`);
}

/** Null when `work` passes, else the error in one line without digits in a row: it may repeat a code. */
async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text
      .replaceAll(/\d{6,}/g, "…")
      .replaceAll(/\s+/g, " ")
      .slice(0, 200);
  }
}

/** Blanks codes that have expired, deletes messages after 90 days. */
export async function sweepOutbox(deps: Deps): Promise<void> {
  const before = (seconds: number) => new Date(deps.now().getTime() - seconds * 1000);
  await deps.db
    .updateTable("outbox")
    .set({ ...blank, abandonedAt: deps.now() })
    .where("secret", "=", true)
    .where("body", "<>", "")
    .where("sentAt", "is", null)
    .where("createdAt", "<", before(codes.lifeSeconds))
    .execute();
  await deps.db
    .deleteFrom("outbox")
    .where("createdAt", "<", before(retentionDays * 86_400))
    .execute();
}
