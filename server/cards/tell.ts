// Who is told what happens to a card: its holder, and the guardians when the holder is a child.
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { notify } from "#server/notifications/notifications.ts";
import { ending } from "./number.ts";

interface News {
  personId: number;
  cardnumber: number;
  title: string;
  /** What follows « Votre carte se terminant par 0016 » or « La carte de Léo… » in a sentence. */
  what: string;
  at: Date;
  /** Also by e-mail, else by SMS: news that must reach someone who is not on the portal. */
  outside?: boolean;
}

/** Writes the notices, and the messages when `outside`, in the transaction of what they tell. */
export async function tell(tx: Tx, deps: Pick<Deps, "send" | "config">, news: News): Promise<void> {
  const readers = [news.personId, ...(await guardiansOf(tx, news.personId))];
  const people = await tx
    .selectFrom("person")
    .select(["id", "name", "email", "phonenumber"])
    .where("id", "in", readers)
    .where("disabled_at", "is", null)
    .execute();
  const holder = people.find((person) => person.id === news.personId);
  for (const reader of people) {
    const own = reader.id === news.personId;
    const card = own || !holder ? "Votre carte" : `La carte de ${holder.name}`;
    const body = `${card} se terminant par ${ending(news.cardnumber)} ${news.what}`;
    await notify(tx, {
      personId: reader.id,
      kind: "card",
      title: news.title,
      body,
      path: "/dashboard",
      at: news.at,
      changed: "cards",
    });
    if (news.outside) await write(tx, deps, reader, news.title, body);
  }
}

async function write(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  reader: { id: number; name: string; email: string | null; phonenumber: string | null },
  subject: string,
  body: string,
): Promise<void> {
  const { supportPhone, publicUrl } = deps.config;
  const unknown = supportPhone
    ? `Si vous n'êtes pas à l'origine de cette demande, appelez le ${supportPhone}.`
    : "Si vous n'êtes pas à l'origine de cette demande, prévenez-nous depuis le portail.";
  const base = { subject, personId: reader.id, secret: false };
  if (reader.email) {
    const text = `Bonjour ${reader.name},\n\n${body}\n\n${unknown}\n\nMa carte\n${publicUrl}\n`;
    await deps.send(tx, { ...base, channel: "email", address: reader.email, body: text });
  } else if (reader.phonenumber) {
    const text = `Ma carte. ${body} ${unknown}`;
    await deps.send(tx, { ...base, channel: "sms", address: reader.phonenumber, body: text });
  }
}
