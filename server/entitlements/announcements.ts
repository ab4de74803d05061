// Announcements of proofs: to the sender, on the portal and by e-mail, else SMS.
import type { ProofKind } from "#contract/entitlements/rows.ts";
import { ofName } from "#contract/french.ts";
import { proofNames } from "#contract/entitlements/words.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announce } from "#server/notifications/notifications.ts";

/** A proof, about whom it is and who sent it. */
export interface SentProof {
  kind: ProofKind;
  personId: number;
  /** Of the person it is about. */
  name: string;
  sentBy: number;
}

/**
 * `what` follows « Votre justificatif « Quotient familial » » or « Le justificatif … de Léo ». `toDo` is the id of
 * the proof in whose place another one is asked for.
 */
export async function announceProof(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { kind, personId, name, sentBy }: SentProof,
  { title, what, toDo, at }: { title: string; what: string; toDo?: string; at: Date },
): Promise<void> {
  const called = `justificatif «\u00a0${proofNames[kind]}\u00a0»`;
  const whose = personId === sentBy ? `Votre ${called}` : `Le ${called} ${ofName(name)}`;
  await announce(tx, deps, {
    about: "rights",
    to: [sentBy],
    title,
    body: `${whose} ${what}`,
    path: toDo === undefined ? paths.entitlements : atPlace(paths.entitlements, "proof", toDo),
    at,
    changed: ["entitlements", "passes", "subscriptions", "tickets", "meals"],
    channels: "outside",
  });
}
