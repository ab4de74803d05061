// Who is told what happens to a subscription: its holder, the guardians when that is a child, and
// whoever paid it.
import { sql } from "kysely";
import { subscriptionPath } from "#contract/subscriptions.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { notify } from "#server/notifications/notifications.ts";
import type { Row } from "./rows.ts";

interface News {
  title: string;
  body: string;
  at: Date;
  /** Also by e-mail, else by SMS. */
  outside?: boolean;
  /** By SMS too, where there is a phone: the option of the subscription. */
  sms?: boolean;
}

interface Reader {
  id: number;
  name: string;
  email: string | null;
  phonenumber: string | null;
}

/** Writes the notices, and the messages, in the transaction of what they tell. */
export async function tell(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: Pick<Row, "personId" | "buyerId" | "cardnumber">,
  news: News,
): Promise<void> {
  const ids = [row.personId, row.buyerId, ...(await guardiansOf(tx, row.personId))];
  const { rows } = await sql<Reader>`select id, name, email, phonenumber from person
    where id = any (${[...new Set(ids)]}::bigint[]) and disabled_at is null order by id`.execute(
    tx,
  );
  for (const reader of rows) {
    const path = `${subscriptionPath}?carte=${row.cardnumber}`;
    const { title, body, at } = news;
    const notice = { personId: reader.id, kind: "subscription", title, body, path, at };
    await notify(tx, { ...notice, changed: "person" });
    if (news.outside) await write(tx, deps, reader, news);
  }
}

async function write(
  tx: Tx,
  { send, config }: Pick<Deps, "send" | "config">,
  { id, name, email, phonenumber }: Reader,
  { title, body, sms = false }: News,
): Promise<void> {
  const base = { subject: title, personId: id, secret: false };
  if (email) {
    const text = `Bonjour ${name},\n\n${body}\n\nMa carte\n${config.publicUrl}${subscriptionPath}\n`;
    await send(tx, { ...base, channel: "email", address: email, body: text });
  }
  if (phonenumber && (sms || !email)) {
    await send(tx, { ...base, channel: "sms", address: phonenumber, body: `Ma carte. ${body}` });
  }
}
