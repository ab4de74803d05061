// One's own details: who I am, where I can be reached, what was done on my account.
import type { Output } from "#contract/endpoint.ts";
import { lists } from "#contract/limits.ts";
import type { identity } from "#contract/identity.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import type { Call } from "#server/http/serve.ts";
import { notify } from "#server/notifications/notifications.ts";
import { activityLabel } from "./activity.ts";
import { carries, phoneOf, type Contact } from "./contacts.ts";
import { audit, contactsOf, requireCode } from "./identity.ts";

type Profile = Output<typeof identity.profile>;

/** Identity and contact details of the caller. */
export const profile = ({ deps, caller }: Call<typeof identity.profile>) => profileOf(deps, caller);

async function profileOf(deps: Deps, caller: Caller): Promise<Profile> {
  const person = await deps.db
    .selectFrom("person")
    .select(["name", "email", "phonenumber", "created_at", "password_changed_at"])
    .where("id", "=", caller.personId)
    .executeTakeFirstOrThrow();
  return {
    objectID: caller.objectId,
    name: person.name,
    cardnumber: caller.cardnumber,
    type: caller.type,
    email: person.email,
    phonenumber: person.phonenumber,
    memberSince: dayInParis(person.created_at),
    passwordChangedAt: person.password_changed_at?.toISOString() ?? null,
  };
}

// The Swedish form of a date is the ISO one.
const parisDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });
const dayInParis = (moment: Date): string => parisDay.format(moment);

/** Changes the e-mail, proved by a code sent to the new one; the old one is told. */
export async function changeEmail(call: Call<typeof identity.changeEmail>): Promise<Profile> {
  const { deps, caller, input, origin } = call;
  const before = await contactsOf(deps.db, caller.personId);
  if (before.email !== input.email) {
    const to: Contact = { channel: "email", address: input.email };
    const old = before.email === null ? null : { channel: "email" as const, address: before.email };
    await changeContact(deps, caller, origin, { ...input, to, old });
  }
  return await profileOf(deps, caller);
}

/** Changes the phone, kept as E.164, proved by a code sent to the new one; the old one is told. */
export async function changePhone(call: Call<typeof identity.changePhone>): Promise<Profile> {
  const { deps, caller, input, origin } = call;
  const phone = phoneOf(input.phonenumber);
  const before = await contactsOf(deps.db, caller.personId);
  if (before.phonenumber !== phone) {
    const to: Contact = { channel: "sms", address: phone };
    const old =
      before.phonenumber === null ? null : { channel: "sms" as const, address: before.phonenumber };
    await changeContact(deps, caller, origin, { ...input, to, old });
  }
  return await profileOf(deps, caller);
}

interface Change {
  to: Contact;
  old: Contact | null;
  challenge?: string | undefined;
  code?: string | undefined;
}

const wordsOf = {
  email: { column: "email", purpose: "email", thing: "adresse e-mail", kind: "profile.email" },
  sms: {
    column: "phonenumber",
    purpose: "phone",
    thing: "numéro de téléphone",
    kind: "profile.phone",
  },
} as const;

async function changeContact(
  deps: Deps,
  { personId, ...caller }: Caller,
  origin: Origin,
  { to, old, challenge, code }: Change,
): Promise<void> {
  const { column, purpose, thing, kind } = wordsOf[to.channel];
  const used = await requireCode(
    deps,
    { personId, ...caller },
    { purpose, binding: to.address, what: `changer votre ${thing}`, to, challenge, code },
  );
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await used(tx);
    await tx
      .updateTable("person")
      .set({ [column]: to.address })
      .where("id", "=", personId)
      .execute();
    await audit(tx, {
      personId,
      action: kind,
      actor: "person",
      address: origin.address,
      at,
    });
    const title = to.channel === "sms" ? "Téléphone changé" : "Adresse e-mail changée";
    await notify(tx, {
      personId,
      kind: "security",
      title,
      body: "Si ce n'est pas vous, appelez sans attendre le service clients.",
      path: "/profil",
      at,
      changed: "person",
    });
    if (!old || !carries(deps.config, old.channel)) return;
    await deps.send(tx, {
      ...old,
      subject: `${title} sur Ma carte`,
      body:
        `Votre ${thing} vient d'être remplacé${to.channel === "email" ? "e" : ""} sur votre compte ` +
        "Ma carte. Si ce n'est pas vous, appelez sans attendre le service clients.",
      personId,
    });
  });
}

/** What was done on the account, newest first, paged by id. */
export async function activity({
  deps,
  caller,
  input: { before, limit = lists.defaultLimit },
}: Call<typeof identity.activity>): Promise<Output<typeof identity.activity>> {
  let query = deps.db
    .selectFrom("audit")
    .select(["id", "at", "action", "address", "details"])
    .where("person_id", "=", caller.personId);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(({ id, at, action, address, details }) => ({
    id,
    at: at.toISOString(),
    action,
    label: activityLabel(action, details),
    address,
  }));
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
