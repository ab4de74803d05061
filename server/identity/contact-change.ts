// Changing the e-mail or the phone: the password or a passkey, and a code to the new address. The former
// addresses are told, and can undo it for 72 hours (spec.md 29).
import { ofName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { randomUUID } from "node:crypto";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import {
  announce,
  carries,
  type Contact,
  sendLetter,
} from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { openAlert } from "./alerts.ts";
import {
  addressesOf,
  type Channel,
  onContactReplaced,
  isTrusted,
  trustedAfterMs,
} from "./contacts.ts";
import { columnsOf } from "./contact-undo.ts";
import { auditAct } from "./audit.ts";
import { requireOpenSession } from "./session-end.ts";
import { requireCode } from "./step-up.ts";
import { unlessYou } from "./security-notice.ts";
import type { Proof } from "./step-up.ts";

const wordsOf = {
  email: {
    purpose: "email",
    thing: "adresse e-mail",
    ofChild: "l'adresse e-mail",
    action: "profile.email",
    title: "Adresse e-mail changée",
    replaced: "Votre adresse e-mail vient d'être remplacée",
  },
  sms: {
    purpose: "phone",
    thing: "numéro de téléphone",
    ofChild: "le numéro de téléphone",
    action: "profile.phone",
    title: "Téléphone changé",
    replaced: "Votre numéro de téléphone vient d'être remplacé",
  },
} as const;

/** The child whose address a guardian changes; `readers` are told besides the child. */
interface Ward {
  personId: number;
  name: string;
  readers: readonly number[];
  /** Locks the tie with the child until the change is written, or refuses: the first lock. */
  hold: (tx: Tx) => Promise<void>;
}

/**
 * Changes an address of the caller, or of their child (`ward`: the callers have checked the tie); the present
 * address again changes nothing. The caller always gives the proof. Refuses what `stepUpProblems` lists, and
 * `family_minor` to a child whose own address would be replaced.
 */
export async function changeContact(
  deps: Deps,
  caller: Caller,
  origin: Origin,
  { to, ward, ...proof }: Proof & { to: Contact; ward?: Ward },
): Promise<void> {
  const { sessionId } = caller;
  const personId = ward?.personId ?? caller.personId;
  const before = await addressesOf(deps.db, personId);
  const former = before.find(({ channel }) => channel === to.channel);
  if (former?.address === to.address) return;
  // A first address replaces none: without it a child's account cannot be reached at all.
  if (former && !ward) for (const step of onContactReplaced) await step(deps.db, personId);
  const { purpose, thing, ofChild, action, title } = wordsOf[to.channel];
  const used = await requireCode(deps, caller, {
    ...proof,
    purpose,
    binding: ward ? [personId, to.address] : to.address,
    what: ward ? `changer ${ofChild} ${ofName(ward.name)}` : `changer votre ${thing}`,
    to,
    withPassword: true,
  });
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await ward?.hold(tx);
    await requireOpenSession(tx, caller);
    await used(tx);
    const [address, since] = columnsOf[to.channel];
    const formerChannels = await formerAddresses(tx, personId, before, at);
    await tx
      .updateTable("person")
      .set({ [address]: to.address, [since]: at })
      .where("id", "=", personId)
      .execute();
    const changeId = randomUUID();
    await tx
      .insertInto("contactChange")
      .values({
        id: changeId,
        personId,
        sessionId,
        channel: to.channel,
        former: former?.address ?? null,
        formerSince: former?.since ?? null,
        at,
      })
      .execute();
    await auditAct(tx, { caller, origin }, action, { personId, at });
    const by = ward ? ` par ${caller.name}` : "";
    await announce(tx, deps, {
      about: "security",
      to: [personId, ...(ward?.readers ?? [])],
      title,
      body: ward
        ? `${caller.name} a changé ${ofChild} ${ofName(ward.name)}. ${unlessYou}`
        : unlessYou,
      path: ward ? paths.family : paths.contactDetails,
      at,
      changed: ["person", "child_contacts"],
    });
    const { path } = await openAlert(tx, {
      personId,
      sessionId,
      at,
      address: origin.address,
      agent: origin.agent,
      expiresAt: new Date(at.getTime() + trustedAfterMs),
      contactChangeId: changeId,
    });
    await tellFormer(tx, deps, { personId, channel: to.channel, formerChannels, by, path, at });
  });
}

/** The addresses on file before the change, and those removed within 72 hours: each once. */
async function formerAddresses(
  tx: Tx,
  personId: number,
  before: Channel[],
  at: Date,
): Promise<Channel[]> {
  const rows = await tx
    .selectFrom("contactChange")
    .select(["channel", "former", "formerSince"])
    .where("personId", "=", personId)
    .where("at", ">", new Date(at.getTime() - trustedAfterMs))
    .execute();
  const earlier = rows.flatMap(({ channel, former, formerSince }) =>
    former === null ? [] : [{ channel, address: former, since: formerSince }],
  );
  const all = [...before, ...earlier];
  return all.filter(
    ({ address }, place) => all.findIndex((other) => other.address === address) === place,
  );
}

/** Only an address past its delay gets the link: whoever added the last one cannot take over the account. */
async function tellFormer(
  tx: Tx,
  deps: Deps,
  news: {
    personId: number;
    channel: Contact["channel"];
    formerChannels: readonly Channel[];
    /** Ends « vient d'être remplacée ». */
    by: string;
    path: string;
    at: Date;
  },
): Promise<void> {
  const { personId, formerChannels, by, path, at } = news;
  const { title, replaced } = wordsOf[news.channel];
  const action = { label: "Ce n'était pas moi", path };
  for (const { channel, address, since } of formerChannels) {
    if (!carries(deps.config, channel)) continue;
    const letter = {
      subject: `${title} sur Ma carte`,
      body: `${replaced}${by} sur votre compte Ma carte.`,
      note: isTrusted(since, at)
        ? "Si ce n'est pas vous, annulez ce changement dans les 72 heures."
        : unlessYou,
      ...(isTrusted(since, at) && { action }),
    };
    await sendLetter(tx, deps, { channel, address }, letter, { personId });
  }
}
