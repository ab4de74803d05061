// Who is told what happens to tickets: those concerned and, for a child, its guardians.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { notifyAll } from "#server/notifications/notifications.ts";

/** What this room needs to act beside the server, too. */
export type Desk = Pick<Deps, "db" | "now" | "send" | "config">;

export const page = "/services/E-Billet";

interface News {
  title: string;
  body: string;
  at: Date;
  /** Also by e-mail, else by SMS: what cannot wait until someone opens the portal. */
  outside?: boolean;
}

/** Writes the notices in the transaction of what they tell; nobody is told twice. */
export async function tell(
  tx: Tx,
  desk: Pick<Desk, "send" | "config">,
  concerned: readonly number[],
  news: News,
): Promise<void> {
  const { rows: readers } = await sql<Reader>`
    select id, name, email, phonenumber from person where disabled_at is null and id in (
      select unnest(${concerned}::bigint[]) union
      select guardian_id from family_tie
        where member_id = any (${concerned}::bigint[]) and role = 'child')
    order by id`.execute(tx);
  const { title, body, at } = news;
  await notifyAll(
    tx,
    readers.map(({ id }) => ({
      personId: id,
      kind: "ticket",
      title,
      body,
      path: page,
      at,
      changed: "tickets",
    })),
  );
  if (!news.outside) return;
  for (const reader of readers) await write(tx, desk, reader, news);
}

interface Reader {
  id: number;
  name: string;
  email: string | null;
  phonenumber: string | null;
}

async function write(
  tx: Tx,
  { send, config }: Pick<Desk, "send" | "config">,
  { id, name, email, phonenumber }: Reader,
  { title, body }: News,
): Promise<void> {
  const base = { subject: title, personId: id, secret: false };
  if (email) {
    const text = `Bonjour ${name},\n\n${body}\n\nMa carte\n${config.publicUrl}${page}\n`;
    await send(tx, { ...base, channel: "email", address: email, body: text });
  } else if (phonenumber) {
    await send(tx, { ...base, channel: "sms", address: phonenumber, body: `Ma carte. ${body}` });
  }
}
