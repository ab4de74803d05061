// Announcements: a notice in the portal, and messages by e-mail or SMS. Only this room sends; the others say
// what happened and to whom.
import { sql } from "kysely";
import type { Topic } from "#contract/topics.ts";
import {
  bellOptionalKinds,
  type Channel,
  type ChoiceTarget,
  mandatoryKinds,
  type NoticeKind,
} from "#contract/notifications/kinds.ts";
import type { Tx } from "#server/db/db.ts";
import type { Attachment } from "#server/process/attachment.ts";
import type { Deps } from "#server/process/deps.ts";
import { type Contact, contactsOnFile } from "./channels.ts";
import { emailHtml, emailText, type Letter, smsOf } from "./letter.ts";
import { notifyAll } from "./notice.ts";

/** The recipient, for texts that depend on the reader. */
export interface Reader {
  id: number;
  name: string;
}

/**
 * Channels beyond the notice: `outside` is the e-mail, else an SMS, for news that must reach someone who is
 * not on the portal; a list names each requested channel; `portal` is the notice alone.
 */
export type Reach = "portal" | "outside" | readonly Channel[];

/** Texts for the payer alone: more sentences, and a receipt that is sent outside the portal. */
export interface Payer {
  id: number;
  more?: string;
  receipt?: readonly string[];
  /** Files of the message; they are sent outside the portal even where nothing was paid. */
  attachments?: readonly Attachment[];
}

export interface Announcement {
  about: NoticeKind;
  /** Persons, each notified once; closed accounts are left out. */
  to: readonly number[];
  title: string;
  /** Whole sentences; a function where they depend on who reads. */
  body: string | ((reader: Reader) => string);
  /** Path of the page that it is about. */
  path: string;
  /** The alert that the notice asks about; the message has its own link. */
  alertId?: string;
  at: Date;
  /** Topics that open screens read again. */
  changed?: readonly Topic[];
  channels?: Reach;
  /** The payer, notified too, and sentences for them alone: where money came from or went back to. */
  payer?: Payer;
  /** How the messages differ from the notice. */
  message?: Partial<Pick<Letter, "subject" | "body" | "note" | "facts" | "action">> & {
    attachments?: readonly Attachment[];
    /** Not linked to the person in the outbox: the person is deleted before it leaves. */
    unowned?: boolean;
  };
}

interface ReaderRow extends Reader {
  email: string | null;
  phonenumber: string | null;
  /** What the person chose for this kind of announcement, by channel and for the bell. */
  choices: Partial<Record<ChoiceTarget, boolean>>;
}

/** The button label of a message that asks for nothing: it opens the page that the notice is about. */
const pathLabels: Readonly<Record<NoticeKind, string>> = {
  security: "Voir mon profil",
  card: "Voir ma carte",
  family: "Voir ma famille",
  rights: "Voir mes justificatifs",
  top_up: "Voir le paiement",
  transfer: "Voir mes opérations",
  money_request: "Voir la demande",
  grant: "Voir ma cagnotte",
  expiry: "Voir mes cagnottes",
  funding: "Voir la cagnotte",
  pass: "Voir le titre de transport",
  subscription: "Voir l’abonnement",
  membership: "Voir ma demande",
  ticket: "Voir mes billets",
  meal: "Voir les repas",
  meal_reminder: "Ouvrir la semaine",
  purchase: "Voir l’achat",
  invoice: "Voir les factures",
  partnership: "Voir le partenariat",
  contact: "Lire la réponse",
  privacy: "Voir mes données",
  welcome: "Ouvrir Ma carte",
};

type MessageDeps = Pick<Deps, "send" | "config">;

/**
 * Tells persons what happened, in the transaction of what happened: a notice for each and, as `channels`
 * asks, messages on those channels that the person has and did not switch off. Kinds that protect the account
 * ignore the switches (`mandatoryKinds`); reminders may be left out of the bell too (`bellOptionalKinds`).
 */
export async function announce(tx: Tx, deps: MessageDeps, news: Announcement): Promise<void> {
  const { about, title, body, path, alertId, at, changed, payer, channels = "portal" } = news;
  const to = payer ? [...news.to, payer.id] : news.to;
  const { rows: readers } = await sql<ReaderRow>`
    select id, name, email, phonenumber, coalesce((select jsonb_object_agg(channel, enabled)
      from notification_choice c where c.person_id = person.id and c.kind = ${about}), '{}') as choices
    from person where id = any (${to}::bigint[]) and disabled_at is null order by id`.execute(tx);
  const addressed = readers.map((reader) => {
    const own = reader.id === payer?.id ? payer : null;
    const words = typeof body === "string" ? body : body(reader);
    const facts = own?.receipt && own.receipt.length > 0 ? own.receipt : null;
    const files = own?.attachments ?? [];
    return { reader, words: own?.more ? `${words} ${own.more}` : words, facts, files };
  });
  const ringing = bellOptionalKinds.has(about)
    ? addressed.filter(({ reader }) => reader.choices.bell !== false)
    : addressed;
  await notifyAll(
    tx,
    ringing.map(({ reader, words }) => {
      const notice = { personId: reader.id, kind: about, title, body: words, path, at };
      return { ...notice, ...(changed && { changed }), ...(alertId && { alertId }) };
    }),
  );
  const { attachments = [], unowned, ...own } = news.message ?? {};
  for (const { reader, words, facts, files } of addressed) {
    const letter = {
      subject: title,
      name: reader.name,
      body: words,
      path,
      pathLabel: pathLabels[about],
      ...own,
      ...(facts && { facts }),
    };
    const owed = facts !== null || files.length > 0;
    const reach = owed && channels === "portal" ? "outside" : channels;
    for (const contact of contactsFor(deps, about, reach, reader)) {
      const personId = unowned ? null : reader.id;
      await sendLetter(tx, deps, contact, letter, {
        personId,
        attachments: [...attachments, ...files],
      });
    }
  }
}

/** The contacts that an announcement goes to: requested, on file, configured here, not switched off. */
function contactsFor(
  deps: MessageDeps,
  about: NoticeKind,
  reach: Reach,
  reader: ReaderRow,
): Contact[] {
  if (reach === "portal") return [];
  const contacts = contactsOnFile(deps.config, reader);
  const usual = new Set(reach === "outside" ? [contacts[0]?.channel] : reach);
  const choices = mandatoryKinds.has(about) ? {} : reader.choices;
  return contacts.filter(({ channel }) => choices[channel] ?? usual.has(channel));
}

/**
 * Sends one letter to an address, in the caller's transaction: a code, a receipt to someone without an
 * account. `secret` letters are blanked once they left; `personId` is the person it belongs to.
 */
export async function sendLetter(
  tx: Tx,
  { send, config }: MessageDeps,
  { channel, address }: Contact,
  letter: Letter,
  {
    personId,
    secret = false,
    attachments,
  }: { personId: number | null; secret?: boolean; attachments?: readonly Attachment[] },
): Promise<void> {
  const base = { address, subject: letter.subject, personId, secret };
  if (channel === "sms") {
    await send(tx, { ...base, channel, body: smsOf(config, letter) });
    return;
  }
  const files = attachments && attachments.length > 0 ? { attachments } : {};
  const [body, html] = [emailText(config, letter), emailHtml(config, letter)];
  await send(tx, { ...base, channel, body, html, ...files });
}
