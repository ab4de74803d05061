// Who is told of a paper: the one who sent it, on the portal and by e-mail, else SMS.
import type { ProofKind } from "#contract/entitlements.ts";
import { proofNames } from "#contract/proof-words.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { notify } from "#server/notifications/notifications.ts";

/** A paper, about whom it is and who sent it. */
export interface Sent {
  kind: ProofKind;
  personId: number;
  /** Of the person it is about. */
  name: string;
  sentBy: number;
}

/** `what` follows « Votre justificatif « Quotient familial » » or « Le justificatif … de Léo ». */
export async function tellSender(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { kind, personId, name, sentBy }: Sent,
  { title, what, at }: { title: string; what: string; at: Date },
): Promise<void> {
  const called = `justificatif «\u202f${proofNames[kind]}\u202f»`;
  const whose = personId === sentBy ? `Votre ${called}` : `Le ${called} de ${name}`;
  const body = `${whose} ${what}`;
  const path = "/family/droits";
  await notify(tx, { personId: sentBy, kind: "rights", title, body, path, at, changed: "cards" });
  const reader = await tx
    .selectFrom("person")
    .select(["name", "email", "phonenumber"])
    .where("id", "=", sentBy)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  const base = { subject: title, personId: sentBy, secret: false };
  const { publicUrl } = deps.config;
  if (reader?.email) {
    const text = `Bonjour ${reader.name},\n\n${body}\n\nMa carte\n${publicUrl}${path}\n`;
    await deps.send(tx, { ...base, channel: "email", address: reader.email, body: text });
  } else if (reader?.phonenumber) {
    const text = `Ma carte. ${body}`;
    await deps.send(tx, { ...base, channel: "sms", address: reader.phonenumber, body: text });
  }
}
