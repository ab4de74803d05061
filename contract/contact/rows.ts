// Contact: what people write to the customer service, and what it answers.
import * as z from "zod/mini";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";

/** Topics in the order of the form. */
export const contactTopics = [
  "money",
  "card",
  "services",
  "family",
  "sign_in",
  "partner",
  "other",
] as const;
export type ContactTopic = (typeof contactTopics)[number];

export const contactTopicNames: Record<ContactTopic, string> = {
  money: "Cagnotte, recharge ou virement",
  card: "Ma carte",
  services: "Transport, cantine ou billets",
  family: "Famille",
  sign_in: "Connexion et sécurité",
  partner: "Partenariat et factures",
  other: "Autre sujet",
};

export const threadStates = ["open", "answered", "closed"] as const;
export type ThreadState = (typeof threadStates)[number];

const thread = {
  id: c.uuid,
  /** Thread number, to be said on the phone. */
  number: z.int(),
  topic: z.enum(contactTopics),
  subject: z.string(),
  state: z.enum(threadStates),
  /** When something was last written. */
  at: c.instant,
  /** When the oldest message without an answer was written, while it waits for one. */
  waitingSince: z.nullable(c.instant),
};
export const contactThread = z.object(thread);
export type ContactThread = z.output<typeof contactThread>;

export const contactMessage = z.object({
  id: z.int(),
  from: z.enum(["me", "team"]),
  text: z.string(),
  at: c.instant,
  documents: z.array(document),
});

export type ContactMessage = z.output<typeof contactMessage>;

export const contactConversation = z.object({ ...thread, messages: z.array(contactMessage) });
export type ContactConversation = z.output<typeof contactConversation>;

/** What may be done with a thread: writing opens it again, whatever its state. */
export const threadCan = {
  close: ({ state }: { state: ThreadState }): boolean => state !== "closed",
} as const;

/** A message that is being written and not sent yet. */
export const contactDraft = z.object({
  topic: z.nullable(z.enum(contactTopics)),
  subject: z.string(),
  text: z.string(),
  documents: z.array(document),
});
export type ContactDraft = z.output<typeof contactDraft>;

const subject = (least: number) => c.text(120, least);
const text = (least: number) => c.text(4000, least);
const attached = z.optional(z.array(c.uuid).check(z.maxLength(5)));

export const contact = {
  threads: c.row({
    method: "GET",
    path: "/api/contact",
    access: "person",
    of: "self",
    reads: ["contact"],
    summary: "One's own threads, the one last written to first",
    source: "spec §2 contact; server/contact/README.md#threads",
    input: z.object({ before: c.before, limit: c.limit }),
    output: c.page(contactThread),
    problems: [],
  }),
  draft: c.row({
    method: "GET",
    path: "/api/contact/draft",
    access: "person",
    of: { thread: "thread" },
    summary: "What one was writing: a new thread, or the next message of `thread`",
    source: "spec.md 7",
    input: z.object({ thread: z.optional(c.uuid) }),
    output: contactDraft,
    problems: [],
  }),
  keepDraft: c.row({
    method: "POST",
    path: "/api/contact/draft",
    access: "person",
    of: { thread: "thread", "documents[]": "document" },
    summary: "Keeps what one is writing; an empty one is forgotten",
    source: "spec.md 7",
    input: z.object({
      thread: z.nullable(c.uuid),
      topic: z.nullable(z.enum(contactTopics)),
      subject: subject(0),
      text: text(0),
      documents: attached,
    }),
    output: z.object({ saved: z.boolean() }),
    problems: [],
  }),
  thread: c.row({
    method: "GET",
    path: "/api/contact/:id",
    access: "person",
    of: { id: "thread" },
    reads: ["contact"],
    summary: "One thread with its messages, oldest first",
    source: "spec §2 contact; server/contact/README.md#threads",
    input: z.object({ id: c.uuid }),
    output: contactConversation,
    problems: [],
  }),
  open: c.row({
    method: "POST",
    path: "/api/contact",
    access: "person",
    of: { "documents[]": "document" },
    changes: ["contact"],
    summary: "Opens a thread with its first message and its documents",
    source: "spec §2 contact; server/contact/README.md#threads",
    input: z.object({
      topic: z.enum(contactTopics),
      subject: subject(1),
      text: text(1),
      documents: attached,
    }),
    output: contactConversation,
    status: 201,
    problems: ["contact_full", "contact_pace", "document_attached", "idempotency_mismatch"],
  }),
  write: c.row({
    method: "POST",
    path: "/api/contact/:id/messages",
    access: "person",
    of: { id: "thread", "documents[]": "document" },
    changes: ["contact"],
    summary: "Writes to a thread; one that was closed is open again",
    source: "server/contact/README.md#threads",
    input: z.object({ id: c.uuid, text: text(1), documents: attached }),
    output: contactConversation,
    status: 201,
    rate: { max: 60, seconds: 3600 },
    problems: [
      "contact_full",
      "contact_long",
      "contact_pace",
      "document_attached",
      "idempotency_mismatch",
    ],
  }),
  close: c.row({
    method: "POST",
    path: "/api/contact/:id/close",
    access: "person",
    of: { id: "thread" },
    changes: ["contact"],
    summary: "Says that a thread is settled; saying it again changes nothing",
    source: "server/contact/README.md#threads",
    input: z.object({ id: c.uuid }),
    output: contactConversation,
    problems: [],
  }),
} as const;
